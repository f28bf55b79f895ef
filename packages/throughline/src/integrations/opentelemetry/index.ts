export { openTelemetry } from './open-telemetry.ts'
