import type { Policy } from '../compaction/policy.ts'
import type { RequestFrame } from '../compaction/measure/measure.ts'
import type { Summarizer } from '../compaction/summary/with-model/summarizer.ts'
import type { Template } from '../compaction/summary/template.ts'
import type { ProviderCompactor } from '../compaction/provider/provider-compactor.ts'
import type { CountTokens } from '../tokens/message-tokens.ts'
import type { Window } from '../tokens/window.ts'
import { InvalidEntryError } from '../log/invalid-entry-error.ts'
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
  /**
   * The provider's own compaction. `policy.providerCompaction` says when it is used. Its result is
   * kept together with our summary, which replaces it for any other provider.
   */
  compactor?: ProviderCompactor
  /**
   * The provider that answers, such as `openai` or `anthropic`. Content that only another provider
   * can read is not sent to it. Default: the compactor's provider.
   */
  provider?: string
  template?: Template
  /** Where the session works; paths are shown relative to it. */
  directories?: readonly string[]
  plugins?: readonly Plugin[]
  /** How tokens are counted; by default the built-in estimator. */
  count?: CountTokens
  /** Milliseconds since 1970. */
  now?: () => number
  /** A listener that throws harms nothing: its failure is reported as a `plugin-failed` event. */
  onEvent?: (event: SessionEvent) => void
}

/**
 * Plain JavaScript may give anything.
 * @throws InvalidEntryError that names the option.
 */
export function checkOptions(options: SessionOptions): void {
  const { store, id, summarizer, compactor, now, onEvent, count } = options
  if (typeof id !== 'string' || id === '') {
    throw new InvalidEntryError({ field: 'id', value: id, expected: 'the name of the session' })
  }
  if (typeof store?.append !== 'function' || typeof store.read !== 'function') {
    throw new InvalidEntryError({ field: 'store', value: store, expected: 'a store' })
  }
  if (summarizer !== undefined && typeof summarizer?.summarize !== 'function') {
    throw new InvalidEntryError({
      field: 'summarizer',
      value: summarizer,
      expected: 'a summarizer',
    })
  }
  if (compactor !== undefined && typeof compactor?.compact !== 'function') {
    throw new InvalidEntryError({
      field: 'compactor',
      value: compactor,
      expected: "a provider's compactor",
    })
  }
  for (const [field, value] of Object.entries({ now, onEvent, count })) {
    if (value === undefined || typeof value === 'function') continue
    throw new InvalidEntryError({ field, value, expected: 'a function' })
  }
}

export interface CompactRequest {
  focus?: string
  template?: Template
  signal?: AbortSignal
}
