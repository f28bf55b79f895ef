import { guardsOf } from './guard.ts'

export const nothingIsLost = guardsOf('G1', [
  {
    guard: 'undo goes back to just before the compaction',
    file: 'session/operations/undo.ts',
    find: 'to: seq - 1, resume: seq + 1 }',
    replace: 'to: seq, resume: seq + 1 }',
  },
  {
    guard: 'of two undos at once each takes another compaction back',
    file: 'session/operations/compare-and-swap.ts',
    find: 'await session.appendAfter(newest, decision.draft)',
    replace: 'await session.append(decision.draft)',
    tests: ['session/operations/'],
  },
  {
    guard: 'undo keeps what was said after the compaction',
    file: 'session/operations/undo.ts',
    find: 'to: seq - 1, resume: seq + 1 }',
    replace: 'to: seq - 1 }',
  },
  {
    guard: 'undo leaves the summary that a session came with',
    file: 'session/operations/undo.ts',
    find: '|| (await beginsSession(session, compaction))',
    replace: '',
  },
  {
    guard: 'no rewind to an entry that never was',
    file: 'session/session.ts',
    find: 'checkRewind(await this.log(), to)',
    replace: '',
  },
  {
    guard: 'a rewind brings the pins of its time back',
    file: 'log/context/context.ts',
    find: 'return { ...earlier, items,',
    replace: 'return { items,',
  },
  {
    guard: 'undo takes the newest compaction in force, be it a pruning',
    file: 'session/operations/undo.ts',
    find: "if (entry.kind === 'checkpoint' || entry.kind === 'prune') newest",
    replace: "if (entry.kind === 'checkpoint') newest",
  },
  {
    guard: 'a part reads back as it was first said',
    file: 'session/recall/follow-ref.ts',
    find: '{ seqs: [parsed.seq] }',
    replace: '{ seqs: [parsed.seq + 1] }',
  },
  {
    guard: 'a placeholder names the ref by which its output reads back',
    file: 'compaction/prune/prune.ts',
    find: 'text: placeholder({ tool: part.toolName, bytes: utf8Bytes(text), ref, recallTool })',
    replace:
      "text: placeholder({ tool: part.toolName, bytes: utf8Bytes(text), ref: '99999.7', recallTool })",
  },
  {
    guard: 'facts are read of what was said, not of what a prune left of it',
    file: 'session/stored-log.ts',
    find: ' && this.#released.newest <= seq',
    replace: '',
    tests: ['session/released.long.test.ts'],
  },
  {
    guard: 'a log of which a prune has released something is not whole',
    file: 'session/stored-log.ts',
    find: ' && this.#released === nothingReleased',
    replace: '',
    tests: ['session/released.long.test.ts'],
  },
  {
    guard: 'what a checkpoint shows is not released',
    file: 'session/stored-log.ts',
    find: "entries.some((one) => one.kind === 'checkpoint' && !keepsReleased(one, released))",
    replace: 'false',
    tests: ['session/released.long.test.ts'],
  },
])
