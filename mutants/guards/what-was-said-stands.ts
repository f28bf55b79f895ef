import { guardsOf } from './guard.ts'

const repair = 'compaction/summary/repair.ts'

export const wordsOfTheHuman = guardsOf('G7', [
  {
    guard: 'code states the rules, whatever a summary says',
    file: repair,
    find: 'if (core === instructions) return { ...section, stated: rules }',
    replace: 'if (key === instructions) return section',
  },
  {
    guard: 'code states the latest request, whatever a summary says',
    file: repair,
    find: 'const asked = statesRequest(section.said, facts, right) ? [] : request',
    replace: 'const asked: string[] = []',
    tests: ['promises/g07', 'compaction/summary/repair.test.ts'],
  },
  {
    guard: 'rules that were taken back are listed as such',
    file: 'facts/summary/human-lines.ts',
    find: 'return [...standing, ...newestWithin(rest, room.tokens - cost, room)]',
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
    guard: 'rules that do not fit are clipped, and no error',
    file: 'compaction/plan/floor.ts',
    find: 'rules: least(toModel(ruled, ratio), most(minus(standing, pinned), modelTokens(0))),',
    replace: 'rules: toModel(ruled, ratio),',
  },
  {
    guard: 'pins stand in the summary block word for word',
    file: 'compaction/render/summary-block.ts',
    find: "const pinned = pins.length === 0 ? '' :",
    replace: "const pinned = true ? '' :",
  },
  {
    guard: 'pins that were taken back are listed as such',
    file: 'log/context/context.ts',
    find: 'context.unpinned.push(pin)',
    replace: '',
  },
  {
    guard: 'a pin that was taken back is a pin no more',
    file: 'log/context/context.ts',
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
    find: 'return { heading, said: written, apart: (words) => modelsLines(words, quoted), added: [] }',
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
    find: 'if (isOwn) readBack(facts, summary, seq)',
    replace: 'readBack(facts, summary, seq)',
    tests: words,
  },
  {
    guard: 'an element that quotes a file ends at its last closing tag',
    file: 'facts/human/speech.ts',
    find: 'const at = text.lastIndexOf(words)',
    replace: 'const at = text.indexOf(words)',
    tests: ['promises/g15'],
  },
  {
    guard: 'what opens inside of it is closed with it',
    file: 'facts/human/speech.ts',
    find: "if (inside.kind === 'quoting') last = Math.max(last, lastEnd(inside.name))",
    replace: '',
    tests: ['facts/human/speech.test.ts'],
  },
  {
    guard: 'the human’s words stand behind the last heading for them',
    file: 'facts/human/speech.ts',
    find: 'at = text.lastIndexOf(`\\n${line}`, at - 1)',
    replace: 'at = text.indexOf(`\\n${line}`)',
    tests: ['promises/g15'],
  },
  {
    guard: 'behind what announces files all is theirs',
    file: 'facts/human/speech.ts',
    find: "next = 'files'",
    replace: "next = 'anything'",
    tests: ['promises/g15'],
  },
  {
    guard: 'behind the head of a result all is the tool’s',
    file: 'facts/human/speech.ts',
    find: "next = asks ? 'answer' : 'output'",
    replace: "next = 'anything'",
    tests: ['promises/g15'],
  },
  {
    guard: 'what a client said is written so that it is read as the client’s',
    file: 'formats/api-written.ts',
    find: "return origin === 'harness' || origin === 'tool' ? notSaid(plain) : plain",
    replace: 'return plain',
    tests: ['promises/g15'],
  },
  {
    guard: 'words after a summary in the same message are somebody’s',
    file: 'session/reconcile/reconcile.ts',
    find: 'begins && isAlone ?',
    replace: 'begins ?',
    tests: ['promises/g01-every-word', 'session/reconcile/'],
  },
  {
    guard: 'a change of mind takes the rule back that it contradicts',
    file: 'facts/human/note-rules.ts',
    find: 'named ?? (supposed ? undefined : changes.turned(said))',
    replace: 'named',
    tests: ['facts/human/'],
  },
  {
    guard: 'who reports, supposes or denies takes no rule back',
    file: 'facts/human/own-word.ts',
    find: 'return !frames.test(clause)',
    replace: 'return clause.length >= 0',
    tests: ['facts/human/'],
  },
  {
    guard: 'what may change a rule stands with it',
    file: 'facts/human/note-rules.ts',
    find: 'if (isNoted && noteLater(rules, { text, lower, mayTakeBack, seq })) continue',
    replace: '',
    tests: ['facts/human/'],
  },
  {
    guard: 'what allows a part lifts no rule about more',
    file: 'facts/human/note-rules.ts',
    find: 'if (asked.every(isSaid)) return true',
    replace: 'if (asked.some(isSaid)) return true',
    tests: ['facts/human/'],
  },
  {
    guard: 'what is said twice takes nothing back',
    file: 'facts/human/note-rules.ts',
    find: 'if (sentence.question || sameRule(rules, text)) continue',
    replace: 'if (sentence.question) continue',
    tests: ['facts/human/'],
  },
  {
    guard: 'of several people, only the owner takes another’s rule back',
    file: 'facts/human/note-rules.ts',
    find: 'by === undefined ? facts.rules : facts.rules.filter((rule) => rule.by === by)',
    replace: 'facts.rules',
    tests: ['clients/openclaw/'],
  },
  {
    guard: 'a summary behind other messages is not taken for ours',
    file: 'ledger/recognize-own.ts',
    find: "if (seen.said) return { ...draft, origin: 'harness' }",
    replace: '',
    tests: ['formats/writing/own-words.long.test.ts'],
  },
  {
    guard: 'only a refused call tells what the human said',
    file: 'formats/claude-code/origin.ts',
    find: 'if (!isFailed(output) || !ownTool.test(toolName)) return undefined',
    replace: '',
    tests: ['formats/claude-code/refusal.test.ts'],
  },
])

export const workOfTheSession = guardsOf('G8', [
  {
    guard: 'changed files that a summary leaves out are added',
    file: repair,
    find: '[accomplished, files],',
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
    file: 'compaction/summary/invented-names.ts',
    find: 'ends.push(afterQuote(source, end))',
    replace: '',
  },
  {
    guard: 'a model’s seqs are taken off',
    file: 'compaction/summary/invented-names.ts',
    find: 'markUnseen(withoutRefs(invented), { facts, log, named })',
    replace: 'markUnseen(invented, { facts, log, named })',
  },
  {
    guard: 'unresolved errors are listed',
    file: repair,
    find: '[discoveries, missingErrors(text, facts)],',
    replace: '',
    tests: ['promises/g08', 'compaction/summary/repair.test.ts'],
  },
])
