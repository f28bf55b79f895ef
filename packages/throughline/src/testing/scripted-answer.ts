import type { FinishReason } from '../log/entry.ts'

/** What a scripted model, or a scripted provider, says to one request. */
export interface ScriptedAnswer {
  text?: string
  reasoning?: string
  calls?: readonly ScriptedCall[]
  /** As the provider counts; by default the prompt's own size, `none` for no usage at all. */
  usage?: { input?: number; output?: number; cacheRead?: number } | 'none'
  /** By default `tool-calls` where there are calls, else `stop`. */
  finish?: Exclude<FinishReason, 'aborted'> | 'interrupted'
  /** The request is refused with this error. */
  error?: unknown
  /** The stream breaks with this error behind the text. */
  breaks?: unknown
  /** Milliseconds before the stream begins. */
  delay?: number
  /** Milliseconds before each chunk of text. */
  pace?: number
  /** Never answers, or stops answering behind the text, until the request is aborted. */
  hangs?: 'before' | 'after-text'
  /** Characters of text in one chunk; by default 16. */
  chunk?: number
}

export interface ScriptedCall {
  name: string
  input?: unknown
  /** By default `call-1`, `call-2`, … through the whole script. */
  id?: string
}
