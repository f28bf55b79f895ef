import type { StoredIn } from './recall-source.ts'

/** A tool that a server offers beside `recall`. */
export interface ServedTool {
  name: string
  description: string
  schema: object
  reply: (found: StoredIn, input: unknown) => Promise<{ text: string } | { error: string }>
}
