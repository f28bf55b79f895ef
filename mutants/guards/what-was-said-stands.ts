import { guardsOf } from './guard.ts'

const repair = 'compaction/summary/repair.ts'

export const wordsOfTheHuman = guardsOf('G7', [
  {
    guard: 'code states the rules, whatever a summary says',
    file: repair,
    find: 'if (key === instructions) return { ...section, stated: rules }',
    replace: 'if (key === instructions) return section',
  },
  {
    guard: 'code states the latest request, whatever a summary says',
    file: repair,
    find: 'return { ...section, added: [...section.added, ...request] }',
    replace: 'return section',
    tests: ['promises/g07', 'compaction/summary/repair.test.ts'],
  },
  {
    guard: 'rules that were taken back are listed as such',
    file: 'compaction/summary/human-lines.ts',
    find: 'return [...standing, ...newestWithin(rules.flatMap(retractedLine), room.tokens - cost, room)]',
    replace: 'return standing',
    tests: ['promises/g07', 'compaction/summary/repair.test.ts'],
  },
  {
    guard: 'the summary has room for the rules',
    file: 'compaction/cut/planned-cut.ts',
    find: 'plus(leastSummary, least(ruleTokens(index(), counter), most(rules, nothing)))',
    replace: 'leastSummary',
    tests: ['promises/g07', 'compaction/summary/local/summarize-locally.test.ts'],
  },
  {
    guard: 'pins stand in the summary block word for word',
    file: 'compaction/render/summary-block.ts',
    find: "const pinned = pins.length === 0 ? '' :",
    replace: "const pinned = true ? '' :",
  },
  {
    guard: 'pins that were taken back are listed as such',
    file: 'log/context.ts',
    find: 'context.unpinned.push(pin)',
    replace: '',
  },
  {
    guard: 'a pin that was taken back is a pin no more',
    file: 'log/context.ts',
    find: 'context.pins.delete(entry.pin)',
    replace: '',
  },
  {
    guard: 'a pin that would leave no room is refused',
    file: 'session/operations/pin.ts',
    find: 'if (tokens > limit) throw new PinBudgetError({ tokens, limit })',
    replace: '',
  },
  {
    guard: 'no unpin of what is not pinned',
    file: 'session/operations/pin.ts',
    find: 'if (!pins.has(pin)) throw new PinNotFoundError({ session: id, pin, pins: [...pins.keys()] })',
    replace: '',
  },
  {
    guard: 'the latest request stays in the tail, also where media or blanks follow it',
    file: 'compaction/cut/cut.ts',
    find: 'if (staying.includes(index) || holds <= room) keep(candidate)',
    replace: 'if (holds <= room) keep(candidate)',
  },
])

const words = ['compaction/summary/models-words.test.ts']

export const onlyTheHuman = guardsOf('G15', [
  {
    guard: 'what a model says under Instructions stands apart',
    file: repair,
    find: 'return { heading, said: written, apart: modelsLines, added: [] }',
    replace: 'return { heading, said: written, added: [] }',
    tests: words,
  },
  {
    guard: 'a line that would pass for one of code’s is marked',
    file: 'compaction/summary/models-words.ts',
    find: 'right.has(line) ? line : marked(line)',
    replace: 'line',
    tests: words,
  },
  {
    guard: 'of a summary that a model wrote nothing is read back as the human’s',
    file: 'facts/facts-of.ts',
    find: 'if (hasTravelled(entry)) readBack(facts, summary, seq)',
    replace: 'readBack(facts, summary, seq)',
    tests: words,
  },
  {
    guard: 'what stands behind the label of a model’s words is no rule',
    file: 'facts/read-back.ts',
    find: 'if (line === modelsLabel) break',
    replace: '',
    tests: words,
  },
  {
    guard: 'a fence that a model leaves open hides no rule',
    file: 'compaction/summary/shorten.ts',
    find: 'return open === undefined ? body :',
    replace: 'return true ? body :',
    tests: words,
  },
])

export const workOfTheSession = guardsOf('G8', [
  {
    guard: 'changed files that a summary leaves out are added',
    file: repair,
    find: "['Accomplished', files],",
    replace: '',
  },
  {
    guard: 'a file is listed with what happened to it',
    file: 'compaction/summary/told-files.ts',
    find: 'words[state].test(lineAround(text, at, name.length)),',
    replace: 'true || words[state].test(lineAround(text, at, name.length)),',
    tests: ['promises/g08', 'compaction/summary/repair.test.ts'],
  },
  {
    guard: 'what the session never held is marked',
    file: repair,
    find: 'if (!isHeld(name, facts, log) && !isChoice(name, facts, log)) {',
    replace: 'if (false) {',
  },
  {
    guard: 'a model’s seqs are taken off',
    file: repair,
    find: 'markUnseen(withoutRefs(invented), { facts, log, named })',
    replace: 'markUnseen(invented, { facts, log, named })',
  },
  {
    guard: 'unresolved errors are listed',
    file: repair,
    find: "['Discoveries', missingErrors(text, facts)],",
    replace: '',
    tests: ['promises/g08', 'compaction/summary/repair.test.ts'],
  },
])
