import type { Policy } from '../compaction/policy.ts'
import type { RequestFrame } from '../compaction/measure/measure.ts'
import type { Summarizer } from '../compaction/summary/with-model/summarizer.ts'
import type { Template } from '../compaction/summary/template.ts'
import type { CountTokens } from '../tokens/count.ts'
import type { Window } from '../tokens/window.ts'
import type { SessionEvent } from './events.ts'
import type { Plugin } from './plugins/plugin.ts'
import type { Store } from './store.ts'

/** The options for opening a session. */
export interface SessionOptions extends RequestFrame {
  store: Store
  id: string
  window: Window
  policy?: Policy
  /** Without one, summaries are local: no model is called. */
  summarizer?: Summarizer
  template?: Template
  /** Where the session works; paths are shown relative to it. */
  directories?: readonly string[]
  plugins?: readonly Plugin[]
  /** How tokens are counted; by default the built-in estimator. */
  count?: CountTokens
  /** Milliseconds since 1970. */
  now?: () => number
  onEvent?: (event: SessionEvent) => void
}

/** The options of a single compaction. */
export interface CompactRequest {
  focus?: string
  template?: Template
  signal?: AbortSignal
}
