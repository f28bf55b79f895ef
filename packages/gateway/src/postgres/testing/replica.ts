import { postgresGatewayStore } from '../postgres-gateway-store.ts'
import { startGateway } from '../../server/gateway.ts'

// One replica, as a process of its own: what it is to do comes in its environment.
const { REPLICA_STORE = '', REPLICA_SCHEMA = '', REPLICA_UPSTREAM = '' } = process.env

const store = postgresGatewayStore({ url: REPLICA_STORE, schema: REPLICA_SCHEMA })
const gateway = await startGateway({
  store,
  upstreams: { openai: `${REPLICA_UPSTREAM}/v1` },
  thread: true,
  sessions: { window: { context: Number(process.env['REPLICA_WINDOW']) } },
  onProblem: (problem) => process.stderr.write(`${String(problem)}\n`),
})
process.stdout.write(`${gateway.url}\n`)
