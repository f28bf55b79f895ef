import type { GatewayFigures } from './figures.ts'

/** What a fleet does: what `docs/gateway-sizing.md` is computed for. */
export interface Fleet {
  agents: number
  /** Seconds from one request of an agent to its next, and how much of it an answer streams. */
  every: number
  streams: number
  /** The share of a processor that is planned to be busy. */
  busy: number
}

/** What it needs. */
interface Needs {
  requestsPerSecond: number
  streamsAtOnce: number
  /** Processors for requests, and for streams. */
  processors: { requests: number; streams: number }
  replicas: number
  /** Bytes of each replica. */
  memory: number
  statementsPerSecond: number
  connections: number
}

export const usualFleet: Fleet = { agents: 10_000, every: 30, streams: 20, busy: 0.6 }
export const connectionsEach = 10

/** Computed from measured figures alone. */
export function needsOf(figures: GatewayFigures, fleet: Fleet): Needs {
  const { agents, every, streams, busy } = fleet
  const requestsPerSecond = agents / every
  const streamsAtOnce = (agents * streams) / every
  const shared = figures.replicas.find(({ spread }) => spread === 'by request')
  // On Postgres, and with each request at another replica: the dearer of two ways.
  const perRequest = shared?.cpuPerRequest ?? Number.NaN
  const measured = figures.streams
  const perStream = measured.programs.gateway.cpu / measured.atOnce
  const processors = {
    requests: (requestsPerSecond * perRequest) / 1_000,
    streams: streamsAtOnce * perStream,
  }
  const replicas = Math.ceil((processors.requests + processors.streams) / busy)
  const base = figures.memory.rss.at(-1) ?? Number.NaN
  return {
    requestsPerSecond,
    streamsAtOnce,
    processors,
    replicas,
    memory: base + (measured.programs.gateway.memory * streamsAtOnce) / replicas,
    statementsPerSecond: requestsPerSecond * (shared?.statements ?? Number.NaN),
    connections: replicas * connectionsEach,
  }
}
