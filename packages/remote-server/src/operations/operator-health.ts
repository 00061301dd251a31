import { operatorMethods } from '@vidimus/core-types/schemas'
import { defineOperation } from '../operation.js'

export const operatorHealth = defineOperation({
  id: 'operator-health',
  method: 'get',
  path: '/operator/health',
  tag: 'Operators',
  summary: 'Get the health of the service',
  description: [
    'The findings of `vidimus doctor`, the outbox of each network, the lag of publications, the database and the running',
    'versions, as the process that responds sees them. Figures that cannot be read in time are absent.',
  ].join('\n'),
  needs: ['operatorHealth'],
  changes: false,
  response: operatorMethods.operatorHealth.returns.meta({ id: 'ServiceHealth' }),
  responseExample: {
    level: 'ok',
    examinedAt: '2026-06-01T08:30:00.000Z',
    findings: [{ name: 'migrations', level: 'ok', message: 'all 90 applied' }],
    database: { dialect: 'sqlite', readOnly: false, migrations: 90, pendingMigrations: 0, waitingWrites: 0 },
    networks: [{ network: 'testnet', outbox: { queued: 0, sent: 1 }, outboxOldestSeconds: 3.2 }],
    lists: { beatLagSeconds: 0, waitingChanges: 0, oldestWaitingSeconds: 0, openJobs: 0 },
    versions: {
      service: '0.1.0',
      node: '22.23.3',
      packages: [{ name: '@vidimus/status-list', version: '0.1.0' }],
    },
  },
  run: ({ agent }) => agent.operatorHealth(),
})
