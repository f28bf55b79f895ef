import { expect, test } from 'vitest'
import { expectLinear } from '../../../../testing/growth.ts'
import { holdsOn, traitsOf, weightOf, weightOfUnit } from './weigh.ts'
import { Vocabulary } from './terms.ts'
import type { StatementFact, StatementSource } from '../../../../facts/facts.ts'

function unitWeight(
  text: string,
  source: StatementSource = 'remark',
  whole = text,
  isReplied = false,
): number {
  const fact: StatementFact = { text: whole, seq: 1, source }
  return weightOfUnit(
    traitsOf(
      { text, joins: false, leads: [], isLead: false },
      new Vocabulary().read(text, () => {}),
    ),
    fact,
    { focus: 1, isReplied, announces: false },
  )
}

test.each([
  'Looking at step 0.0.',
  'Let me read the parser.',
  "I'll check the tests next.",
  'Now I’m tracing where the lock is taken.',
  'Running the tests.',
  'I run the whole suite.',
  'I look for every place that uses the name before I move anything.',
  'I check how failures are told apart.',
  'Now how the index tells a failed command from one that worked.',
  'Now the lowest floor: what an entry is, what a ref names.',
  'First the reader of Codex sessions.',
  'Good catch. Let me trace where transitions happen.',
  'All three edits are done. Let me run the linter.',
  'Agora vou confirmar se os arquivos misturam responsabilidades.',
  'Je vais lire le fichier.',
  'Extracting the full record.',
  'Now I have a thorough understanding of the codebase.',
  'I’ve got enough context for the boundary review.',
  'I’ve got the added tests and the v1 implementation in view.',
  'Good exploration results. Now I understand the flow.',
  'I see the problem clearly now.',
  '让我先看看这个文件。',
])('%j is no discovery', (text) => {
  expect(unitWeight(text)).toBe(0)
  const more = `${text} The lock is taken twice, once by the writer and once by the index, ${'and so on, '.repeat(10)}`
  expect(unitWeight(text, 'remark', more)).toBeLessThan(0.5)
})

test.each([
  'The lock is taken twice.',
  'Reading it twice is what makes it slow.',
  "I'll read from the end because the index stands there.",
  'I’m patching both requests to ask for tag objects.',
  'I read the index: it is written twice.',
  'I run it and the lock fails.',
  'Now the tests pass.',
  'First the index must be rebuilt.',
  'I see now that nobody calls it.',
  'I see the lock is taken twice.',
  'I have the tests of all three packages green.',
  'I understand the flow: the writer takes the lock, then the index does.',
  'Both pass. The lock is taken twice.',
  'Nothing the writer does is kept.',
  'Keeping the lock makes the writer slow.',
])('%j says something', (text) => {
  expect(unitWeight(text)).toBe(1)
})

test.each([
  'If you want, I can sketch the workflow next.',
  'Want me to update the spec with that framing instead?',
  'Ready for your final review, or want to move to planning?',
  'Does this revised lifecycle look right?',
  'Let me know if you would like another split.',
])('%j says little once the human has replied', (text) => {
  expect(unitWeight(text, 'answer', text, true)).toBeLessThan(0.5)
  expect(unitWeight(text, 'answer', `${text} The lock is taken twice.`)).toBe(1)
  expect(unitWeight(text, 'document', text, true)).toBe(1)
})

test.each([
  'If the lock is taken twice, the writer waits.',
  'Is the lock taken twice? Yes, by the index.',
  'When you commit without hooks, the trailer is lost.',
])('%j is no offer', (text) => {
  expect(unitWeight(text, 'answer', text, true)).toBe(1)
})

test('of thinking, what might be done is worth less than what is known', () => {
  const known = unitWeight('The parser reads the lock twice in `read.ts`.', 'thought')
  expect(unitWeight('Maybe I could read the lock once in `read.ts`.', 'thought')).toBeLessThan(
    known,
  )
  expect(unitWeight('Maybe I could read the lock once in `read.ts`.')).toBe(1)
  for (const mused of [
    'Yet, I should be careful with the lock in `read.ts`.',
    'The user wants the lock in `read.ts` to be taken once.',
    'For the lock in `read.ts` it is cached, which sounds like a solid plan!',
  ]) {
    expect(unitWeight(mused, 'thought'), mused).toBeLessThan(known)
  }
})

test('what instructions demand is worth more than what they explain', () => {
  const demand = unitWeight('Never edit files in dist/ by hand.', 'instructions')
  expect(demand).toBeGreaterThan(unitWeight('The folder dist/ holds the build.', 'instructions'))
})

test('a document with open tasks says what is left to do, however old it is', () => {
  const document = (text: string): StatementFact => ({ text, seq: 1, source: 'document' })
  const tasks = document('# Phase 1\n- [ ] Write the parser.\n- [ ] Write its tests.')
  const prose = document('# Phase 1\nHow the parser works.')
  const named = (): boolean => false
  expect(weightOf(tasks, named)).toBeGreaterThan(weightOf(prose, named))
  expect([holdsOn(tasks), holdsOn(prose)]).toEqual([true, false])
})

test.each(['I am ', 'now ', 'look', '- [ ] a\n', ' '])(
  'weighing a text of nothing but %j takes linear work',
  async (unit) => {
    const weighing = (length: number) => {
      const text = unit.repeat(Math.ceil(length / unit.length))
      const fact: StatementFact = { text, seq: 1, source: 'document' }
      return () => [unitWeight(text), holdsOn(fact)]
    }
    await expectLinear(weighing, { small: 50_000, large: 800_000 })
  },
)
