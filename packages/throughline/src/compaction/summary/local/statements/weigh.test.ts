import { expect, test } from 'vitest'
import { expectLinear } from '../../../../testing/growth.ts'
import { holdsOn, traitsOf, weightOf, weightOfUnit } from './weigh.ts'
import { Vocabulary } from './terms.ts'
import type { StatementFact, StatementSource } from '../../../../facts/facts.ts'

function unitWeight(
  text: string,
  source: StatementSource = 'remark',
  whole = text,
  { isReplied = false, worked = true }: { isReplied?: boolean; worked?: boolean } = {},
): number {
  const fact: StatementFact = { text: whole, seq: 1, source, ...(worked && { worked }) }
  return weightOfUnit(
    traitsOf(
      { text, joins: false, leads: [], isLead: false },
      { isSpecific: new Vocabulary().read(text, () => {}), source },
    ),
    fact,
    { focus: 1, isReplied },
  )
}

test.each([
  'Looking at step 0.0.',
  'Let me read the parser.',
  "I'll check the tests next.",
  'Now I’m tracing where the lock is taken.',
  'Running the tests.',
  'Good catch. Let me trace where transitions happen.',
  'All three edits are done. Let me run the linter.',
  'Agora vou confirmar se os arquivos misturam responsabilidades.',
  'Je vais lire le fichier.',
  '让我先看看这个文件。',
  'Oh no! Let’s fix that.',
  'Now I have a good understanding of the format.',
  'Now I understand the full picture.',
])('%j is no discovery', (text) => {
  expect(unitWeight(text, 'remark', text, { worked: false })).toBe(0)
})

test.each([
  'The lock is taken twice.',
  'Reading it twice is what makes it slow.',
  "I'll read from the end because the index stands there.",
  'I’m patching both requests to ask for tag objects.',
  'I read the index: it is written twice.',
  'I run it and the lock fails.',
  'Now the parser reads it once.',
  'First the index must be rebuilt.',
  'I see now that nobody calls it.',
  'I see the lock is taken twice.',
  'I have confirmed that the writer is isolated.',
  'I understand the flow: the writer takes the lock, then the index does.',
  'Both pass. The lock is taken twice.',
  'Nothing the writer does is kept.',
  'Keeping the lock makes the writer slow.',
])('%j says something', (text) => {
  expect(unitWeight(text)).toBe(1)
})

test.each(['The task involves reading the whole index.', 'The user wants the lock gone.'])(
  '%j says only what was asked for, which stands in its own words',
  (text) => {
    expect([unitWeight(text), unitWeight(text, 'thought')]).toEqual([0, 0])
    expect(unitWeight(text, 'answer')).toBe(1)
  },
)

test.each([
  'To fix the parser, we need to change the lock.',
  'First we should find out who takes the lock.',
  'If the server cannot be reached, we can read from the copy.',
])('%j may be advice in an answer', (text) => {
  expect(unitWeight(text, 'answer')).toBe(1)
  expect(unitWeight(text, 'plan')).toBe(1)
})

test.each([
  'To read it once, the writer takes the lock.',
  'We see the same output as the issue.',
  'If the lock is taken twice, the writer waits.',
  'We cannot read it twice.',
  'When we read it twice, it fails.',
  'You’re right. We can have the writer take the lock.',
])('%j says something in a remark', (text) => {
  expect(unitWeight(text)).toBe(1)
})

test.each([
  'If you want, I can sketch the workflow next.',
  'Want me to update the spec with that framing instead?',
  'Ready for your final review, or want to move to planning?',
  'Does this revised lifecycle look right?',
  'Let me know if you would like another split.',
])('%j says little once the human has replied', (text) => {
  expect(unitWeight(text, 'answer', text, { isReplied: true })).toBeLessThan(0.5)
  expect(unitWeight(text, 'answer', `${text} The lock is taken twice.`)).toBe(1)
  expect(unitWeight(text, 'document', text, { isReplied: true })).toBe(1)
})

test.each([
  'If the lock is taken twice, the writer waits.',
  'Is the lock taken twice? Yes, by the index.',
  'When you commit without hooks, the trailer is lost.',
])('%j is no offer', (text) => {
  expect(unitWeight(text, 'answer', text, { isReplied: true })).toBe(1)
})

test.each([
  'Maybe I could read the lock once in `read.ts`.',
  'Yet, I should be careful with the lock in `read.ts`.',
  'The user wants the lock in `read.ts` to be taken once.',
  'For the lock in `read.ts` it is cached, which sounds like a solid plan!',
  'I need to look into smaller patches since there seems to be a mismatch in `read.ts`.',
  'It’s probably best to catch the errors of `read.ts` so that nothing else fails.',
  'Should the lock in `read.ts` be renamed, since the old one is gone?',
  'I’m considering that I might not need `lock.ts`.',
  'Adding a lock to `read.ts` could help.',
  'It’s a bit complex!',
  'It makes sense to look at `read.ts` again.',
  'if len(locks) > 0 {',
  'My aim is to mend the lock of `read.ts` step by step.',
  'The task is expecting a lock in `read.ts`.',
  'The user also mentioned the lock of `read.ts`.',
  'The lock of `read.ts` still feels off.',
  'It is interesting how `read.ts` takes its lock.',
  'I’m spotting potential problems in `read.ts`.',
])('thinking that only weighs what may be done is no discovery: %j', (text) => {
  expect(unitWeight(text, 'thought')).toBe(0)
})

test.each([
  'participant G as Git Hooks',
  '    Note over G: the lock is taken twice',
  'C->>G: Stop hook of the writer',
  'idle --> active: the human speaks',
])('a line of a drawing says nothing alone: %j', (text) => {
  expect(unitWeight(text, 'document')).toBe(0)
  expect(unitWeight(text, 'answer')).toBe(1)
  expect(
    unitWeight('- The idle session becomes active --> when the human speaks.', 'document'),
  ).toBe(1)
})

test.each([
  'The parser reads the lock twice in `read.ts`.',
  'The writer of `read.ts` could not see the lock.',
  'The lock in `read.ts` may be stale, because nobody deletes it.',
  'I see that `read.ts` is only loaded by the tests.',
  'There is no page registry for `lock.ts`.',
])('thinking that says what is so is one: %j', (text) => {
  expect(unitWeight(text, 'thought')).toBe(1)
  expect(unitWeight(`Maybe: ${text}`)).toBe(1)
})

test.each([
  'I’m patching the detail model and the parser now.',
  'I’m now wiring the exporter into the settings page.',
  'I am still reshaping the index of the second table.',
  'Staging only the files of the exporter and committing them.',
])('%j says what was done only where something changed', (text) => {
  expect(unitWeight(text, 'remark', text, { worked: false })).toBe(0)
  expect(unitWeight(text, 'remark', text, { worked: true })).toBe(1)
})

test.each(['I’m leaving the exporter as it is.', 'I’m seeing two locks for one table.'])(
  '%j says something even where nothing changed',
  (text) => {
    expect(unitWeight(text, 'remark', text, { worked: false })).toBe(1)
  },
)

test('a document with open tasks says what is left to do, until the human has long spoken past it', () => {
  const document = (text: string): StatementFact => ({ text, seq: 1, source: 'document' })
  const tasks = document('# Phase 1\n- [ ] Write the parser.\n- [ ] Write its tests.')
  const prose = document('# Phase 1\nHow the parser works.')
  const named = (): boolean => false
  expect(weightOf(tasks, named)).toBeGreaterThan(weightOf(prose, named))
  expect([holdsOn(tasks), holdsOn(prose)]).toEqual([true, false])
  const past = { isSpokenPast: true }
  expect(weightOf(tasks, named, past)).toBe(weightOf(prose, named))
  expect(holdsOn(tasks, past)).toBe(false)
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
