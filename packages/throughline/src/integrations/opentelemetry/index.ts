export { openTelemetry } from './open-telemetry.ts'
export type { OpenTelemetryOptions, Telemetry } from './open-telemetry.ts'
