import type { FinishReason } from '../../log/entry.ts'

/** The answer of a scripted model or provider to one request. */
export interface ScriptedAnswer {
  text?: string
  reasoning?: string
  calls?: readonly ScriptedCall[]
  /** As the provider counts; by default the prompt's actual size; `none` for no usage at all. */
  usage?: { input?: number; output?: number; cacheRead?: number } | 'none'
  /** `tool-calls` by default if there are calls, else `stop`. */
  finish?: Exclude<FinishReason, 'aborted'> | 'interrupted'
  /** The request is rejected with this error. */
  error?: unknown
  /** The stream breaks with this error after the text. */
  breaks?: unknown
  /** Milliseconds before the stream begins. */
  delay?: number
  /** Milliseconds before each chunk of text. */
  pace?: number
  /** Never answers, or stops answering after the text, until the request is aborted. */
  hangs?: 'before' | 'after-text'
  /** Characters of text per chunk; 16 by default. */
  chunk?: number
}

/** A tool call of a scripted answer. */
export interface ScriptedCall {
  name: string
  input?: unknown
  /** `call-1`, `call-2`, … by default, through the whole script. */
  id?: string
}
