import { isAuditTrail, type AuditTrail } from '@vidimus/core-types'
import { z } from 'zod'

/** The option `audit` of the plugins of this package. */
export const AuditTrailOption = z
  .custom<AuditTrail>(isAuditTrail, 'must be an audit trail such as AuditLog')
  .optional()
