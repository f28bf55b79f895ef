import { guardsOf } from './guard.ts'

export const whatWasGivenStays = guardsOf('G13', [
  {
    guard: 'the newest step is clipped, and not left out',
    file: 'compaction/cut/cut.ts',
    find: 'keep(holds <= room ? whole : shrunkStep(whole, newestStep, clipped, input))',
    replace: 'if (holds <= room) keep(whole)',
    tests: ['promises/g13', 'compaction/cut/'],
  },
  {
    guard: 'a marker says what was left out between two kept parts',
    file: 'compaction/cut/cut.ts',
    find: 'if (gap) {',
    replace: 'if (false) {',
    tests: ['promises/g13', 'compaction/cut/'],
  },
  {
    guard: 'the newest step has a fair part of a full tail, however little a rung leaves',
    file: 'compaction/cut/cut.ts',
    find: 'most(minus(input.budget, ...taken), share(input.full, newestShare))',
    replace: 'minus(input.budget, ...taken)',
    tests: ['promises/g13', 'compaction/cut/'],
  },
  {
    guard: 'clipping alone is a plan, where the tail holds all',
    file: 'compaction/plan/plan.ts',
    find: 'cut.through === 0 && !cut.leave ? clipPlan(input, units, planned, cut) : undefined',
    replace: 'undefined',
  },
  {
    guard: 'clipping alone is no plan where it does not make the context fit',
    file: 'compaction/plan/plan.ts',
    find: "if (after >= before || (trigger !== 'manual' && after >= budget.usable)) return undefined",
    replace: '',
    tests: ['promises/g13', 'promises/g02', 'compaction/plan/'],
  },
  {
    guard: 'a long request keeps its beginning and its end',
    file: 'compaction/clip/clip-human.ts',
    find: '.filter(({ tokens }) => tokens > cap)',
    replace: '.filter(() => false)',
  },
  {
    guard: 'media that nobody has answered yet stay while they fit',
    file: 'compaction/cut/cut.ts',
    find: 'return own <= minus(input.media, media) ? { ...whole, media: own } : without',
    replace: 'return without',
  },
  {
    guard: 'media that do not fit go',
    file: 'compaction/cut/cut.ts',
    find: 'return own <= minus(input.media, media) ? { ...whole, media: own } : without',
    replace: 'return { ...whole, media: own }',
  },
  {
    guard: 'a request is not repeated as text where its media have room',
    file: 'compaction/cut/planned-cut.ts',
    find: 'return minus(whole, without) <= media ? null : continuation',
    replace: 'return continuation',
  },
  {
    guard: 'what the model no longer sees is told',
    file: 'compaction/plan/plan.ts',
    find: 'return droppedBetween(context.items, checkpointItems(context, draft, log), policy.protectedTools)',
    replace: 'return droppedBetween(context.items, context.items, policy.protectedTools)',
  },
  {
    guard: 'a request whose media must go stands with its words',
    file: 'compaction/continuation/continuation.ts',
    find: 'return unanswered(found.human)',
    replace: 'return null',
    tests: ['promises/g13', 'compaction/continuation/'],
  },
])

export const onceSummarized = guardsOf('G14', [
  {
    guard: 'a summary by code carries the one before it',
    file: 'compaction/compact.ts',
    find: 'previous: cut.previous,',
    replace: 'previous: undefined,',
    tests: ['promises/g14', 'promises/g07', 'src/session/'],
  },
  {
    guard: 'a model is given the summary that it updates',
    file: 'compaction/summary/with-model/summarize-with-model.ts',
    find: 'const previous = cut.previous && wellFormed(withoutRecordNames(cut.previous))',
    replace: 'const previous = undefined',
  },
  {
    guard: 'the facts of a summary by code are read back from its text',
    file: 'facts/read-back.ts',
    find: 'if (isLocalSummary(summary)) readFacts(facts, parsed, seq)',
    replace: '',
  },
  {
    guard: 'changed files are read back',
    file: 'facts/read-back.ts',
    find: "readAccomplished(facts, body('Accomplished'), seq)",
    replace: '',
  },
  {
    guard: 'requests are read back',
    file: 'facts/read-back.ts',
    find: "readRequests(facts, body('Goal'), seq)",
    replace: '',
  },
  {
    guard: 'rules of a summary whose log is gone are rules',
    file: 'facts/read-back.ts',
    find: "for (const line of ruleLinesIn(sectionBody(parsed, 'Instructions') ?? '')) {",
    replace: "for (const line of ['']) {",
  },
  {
    guard: 'of a summary whose log is gone every section is carried',
    file: 'compaction/summary/local/earlier-summary.ts',
    find: 'return inherited === undefined ? reasons : everything',
    replace: 'return reasons',
  },
  {
    guard: 'what was carried is carried on',
    file: 'compaction/summary/local/earlier-summary.ts',
    find: 'if (carried !== undefined) return carried',
    replace: "if (carried !== undefined) return ''",
  },
  {
    guard: 'the first message of an array may be a summary',
    file: 'session/once/log-of-messages.ts',
    find: 'newest === 0 ? beginningDrafts(first) : [saidByAnyone(first)]',
    replace: 'saidByAnyone(first)',
  },
  {
    guard: 'only the first message of an array may be a summary',
    file: 'session/once/log-of-messages.ts',
    find: '...others.map((message, index) => saidByAnyone(message, messages[index])),',
    replace: '...others.flatMap(beginningDrafts),',
    tests: ['promises/g14', 'session/once/', 'session/reconcile/'],
  },
  {
    guard: 'what the human said behind a summary is heard',
    file: 'session/once/log-of-messages.ts',
    find: 'return [draft, saidByAnyone({ ...message, content: said })]',
    replace: 'return [draft]',
    tests: ['promises/g14', 'session/once/', 'session/reconcile/'],
  },
])
