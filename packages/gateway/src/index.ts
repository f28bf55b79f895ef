/**
 * A gateway in front of a model's API: any client and any language, unchanged, never out of context.
 *
 * @packageDocumentation
 */
export {
  GatewayAddressError,
  startGateway,
  type Gateway,
  type GatewayOptions,
} from './server/gateway.ts'
export type { ReportPage } from './pages/page-maker.ts'
export type { SessionAccess } from './identity/session-access.ts'
export { memoryGatewayStore, sqliteGatewayStore } from './store/sqlite-gateway-store.ts'
export {
  postgresGatewayStore,
  type PostgresGatewayStoreOptions,
} from './postgres/postgres-gateway-store.ts'
export { PostgresError, type PostgresFailure } from './postgres/errors.ts'
export { openSeal, SealError, sealWith, type Seal } from './encryption/seal.ts'
export type {
  Found,
  GatewayStore,
  LearnedWindow,
  Link,
  Mark,
  Request,
  SessionRow,
  WindowAt,
  World,
} from './store/gateway-store.ts'
export { UpstreamError } from './upstream/errors.ts'
export type { Caller } from './identity/caller.ts'
export type { Headers } from './server/headers.ts'
export type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream/upstream.ts'
export type { Upstreams } from './upstream/targets.ts'
export type { Api } from './wires/wire.ts'
export { runBehind, type RunOptions } from './run/run-behind.ts'
export { RunFailedError } from './run/run-client.ts'
export { serve, type ServeOptions } from './run/serve.ts'
export type { Refusal } from './server/refusals.ts'
export type { Answered } from './server/answer-request.ts'
export type { Learned } from './sessions/sessions.ts'
export type { SessionSettings } from './sessions/settings.ts'
