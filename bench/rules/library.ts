export { factsOf } from '../../packages/throughline/src/facts/facts-of.ts'
export { logOf } from '../../packages/throughline/src/session/once/log-of-messages.ts'
export { readSession } from '../../packages/throughline/src/formats/reading/read-session.ts'
