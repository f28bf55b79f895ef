import type { Fate, Kind, LoggedWhat } from '../src/report/model.ts'

/** What people call the kinds of content. */
export const kindNames: Readonly<Record<Kind, string>> = {
  fixed: 'System prompt, tools',
  summary: 'Summary',
  human: 'You',
  harness: 'Client’s notes',
  assistant: 'Model’s words',
  thinking: 'Thinking',
  calls: 'Tool calls',
  results: 'Tool results',
}

/** A sign and a word for what happened to a message: colour alone says nothing. */
export const fates: Readonly<Record<Fate, { sign: string; name: string; means: string }>> = {
  kept: { sign: '●', name: 'kept', means: 'word for word' },
  clipped: { sign: '◐', name: 'clipped', means: 'beginning and end stay, the middle went' },
  pruned: { sign: '○', name: 'pruned', means: 'a placeholder names it' },
  summarized: { sign: 'Σ', name: 'summarized', means: 'a line of the summary rests on it' },
  dropped: { sign: '✕', name: 'dropped', means: 'no line of the summary rests on it' },
  replaced: { sign: '↻', name: 'replaced', means: 'an earlier summary or note' },
}

export const fateOrder: readonly Fate[] = [
  'kept',
  'clipped',
  'pruned',
  'summarized',
  'dropped',
  'replaced',
]

export const whatNames: Readonly<Record<LoggedWhat, string>> = {
  human: 'You',
  harness: 'Client',
  model: 'Model',
  tool: 'Tool',
  synthetic: 'Continue',
  system: 'System',
  checkpoint: 'Compaction',
  prune: 'Pruning',
  pin: 'Pin',
  unpin: 'Unpin',
  rewind: 'Rewind',
  note: 'Note',
}
