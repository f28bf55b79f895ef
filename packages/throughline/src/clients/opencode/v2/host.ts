import type { Fields } from '../../../json/fields.ts'

/** A message of a request, as opencode 2 gives it to its plugins. Its parts may be class instances. */
export interface V2Message {
  role: string
  /** The id of its row; the carriers of results have none. */
  id?: string
  content: readonly Fields[]
}

/** One request to a model, before it is sent. */
export interface V2Request {
  sessionID: string
  model: { providerID?: string; id: string }
  system?: readonly unknown[]
  messages: V2Message[]
  tools?: Fields
  options?: { maxTokens?: number }
}

/** A compaction that opencode is about to do; with a result, it asks no model. */
export interface V2Compaction extends V2Request {
  result?: { summary: string; recent?: string }
}

interface V2Tool {
  name: string
  description: string
  input: object
  options: { codemode: boolean }
  execute: (input: unknown, call: { sessionID: string }) => Promise<{ content: string }>
}

/** As much as we use of what opencode 2 gives to a plugin. Everything may be missing. */
export interface V2Context {
  app?: { version?: string }
  location?: { directory?: string }
  session?: {
    hook?: ((name: 'context', hook: (request: V2Request) => Promise<void>) => unknown) &
      ((name: 'compaction', hook: (compaction: V2Compaction) => Promise<void>) => unknown)
  }
  model?: { get?: (name: { providerID?: string; id: string }) => Promise<unknown> }
  tool?: { transform?: (change: (tools: { add: (tool: V2Tool) => void }) => void) => unknown }
}
