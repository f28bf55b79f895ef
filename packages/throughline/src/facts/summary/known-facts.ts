import type { Facts as FullFacts } from '../facts.ts'

/** The facts that the summarizer reads: everything except the internal memory of their fold. */
export type Facts = Omit<FullFacts, 'memory'>
