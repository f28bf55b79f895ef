export { compactingSessionStore } from './compacting-session-store.ts'
