export {
  compactingSessionStore,
  type AgentSessionEntry,
  type AgentSessionKey,
  type AgentSessionStore,
  type CompactingStoreOptions,
} from './compacting-session-store.ts'
