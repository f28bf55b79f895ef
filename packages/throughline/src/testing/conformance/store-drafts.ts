import type { EntryDraft } from '../../log/entry.ts'

/** A plain message of the human. */
export function draft(text: string, at = 0): EntryDraft {
  return { kind: 'message', at, message: { role: 'user', content: text }, origin: 'human' }
}

/** Entries that are easily damaged: by encodings, by C strings, by flat tables, by their size. */
export function awkwardDrafts(): { what: string; draft: EntryDraft }[] {
  return [
    { what: 'emoji', draft: draft('👩‍👩‍👧‍👦 🏳️‍🌈 é é 漢字') },
    { what: 'a lone surrogate', draft: draft('high \ud83d low \udc00 end') },
    { what: 'NUL', draft: draft('before\0after') },
    { what: 'line separators and quotes', draft: draft('\u2028\u2029 \r\n \\ " \' `') },
    { what: 'an empty text', draft: draft('') },
    { what: '1 MB of text', draft: draft('0123456789abcdef'.repeat(65_536)) },
    {
      what: 'nested metadata',
      draft: {
        ...(draft('nested') as Extract<EntryDraft, { kind: 'message' }>),
        usage: { inputTokens: 1, outputTokens: 0.5, cacheReadTokens: 2 ** 53 - 1 },
        metadata: {
          compaction_continue: true,
          time: { compacted: 1 },
          deep: { list: [1, [2, [null, { '': false }]]], ['__proto__']: 'a', constructor: 'b' },
        },
      },
    },
    {
      what: 'a call and its result',
      draft: {
        kind: 'message',
        at: 7,
        origin: 'model',
        model: 'a-model',
        finish: 'tool-calls',
        message: {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm', providerOptions: { a: { signature: 's' } } },
            {
              type: 'tool-call',
              toolCallId: 'c',
              toolName: 'read',
              input: { path: 'a', n: -0.25 },
            },
          ],
        },
      },
    },
    {
      what: 'a checkpoint',
      draft: {
        kind: 'checkpoint',
        at: 8,
        base: 7,
        summary: '## Goal\nx',
        summarizer: 'local',
        tail: [
          { type: 'entry', seq: 3, replacements: [{ how: 'clipped', ref: '3.0', text: '…' }] },
          { type: 'omission', from: 4, to: 6, text: 'left out' },
        ],
        continuation: null,
        metadata: {},
      },
    },
  ]
}
