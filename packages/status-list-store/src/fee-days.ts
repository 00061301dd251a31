import { DayBudgets, sql } from '@vidimus/database'

/** What accounts spend on encrypted lists of others. */
export const FEE_DAYS = new DayBudgets(sql`"status_list_fee_day"`)
