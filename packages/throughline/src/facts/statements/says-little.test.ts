import { expect, test } from 'vitest'
import { expectLinear } from '../../testing/growth.ts'
import { announcedIn, isOffer, muses } from './says-little.ts'

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
  expect(announcedIn(text)).toBeDefined()
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
  expect([undefined, 'doing']).toContain(announcedIn(text))
})

test.each([
  'To read it once, the writer takes the lock.',
  'We see the same output as the issue.',
  'If the lock is taken twice, the writer waits.',
  'We cannot read it twice.',
  'When we read it twice, it fails.',
  'You’re right. We can have the writer take the lock.',
])('%j says something in a remark', (text) => {
  expect(announcedIn(text)).toBeUndefined()
})

test.each([
  'If you want, I can sketch the workflow next.',
  'Want me to update the spec with that framing instead?',
  'Ready for your final review, or want to move to planning?',
  'Does this revised lifecycle look right?',
  'Let me know if you would like another split.',
])('%j is an offer', (text) => {
  expect(isOffer(text)).toBe(true)
})

test.each([
  'If the lock is taken twice, the writer waits.',
  'Is the lock taken twice? Yes, by the index.',
  'When you commit without hooks, the trailer is lost.',
])('%j is no offer', (text) => {
  expect(isOffer(text)).toBe(false)
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
  expect(muses(text)).toBe(true)
})

test.each([
  'The parser reads the lock twice in `read.ts`.',
  'The writer of `read.ts` could not see the lock.',
  'I see that `read.ts` is only loaded by the tests.',
  'There is no page registry for `lock.ts`.',
])('thinking that says what is so is one: %j', (text) => {
  expect(muses(text)).toBe(false)
})

test.each([
  'I’m patching the detail model and the parser now.',
  'I’m now wiring the exporter into the settings page.',
  'I am still reshaping the index of the second table.',
  'Staging only the files of the exporter and committing them.',
])('%j says what is being done', (text) => {
  expect(announcedIn(text)).toBe('doing')
})

test.each([
  'I’m running the focused tests of the exporter now, specifically the new case with two sums and the older coverage around the end of a year.',
  'I’m doing one quick pass over the final difference now and over the tests, and then over the notes that stand beside the exporter.',
])('%j says only what is under way, however long it is', (text) => {
  expect(announcedIn(text)).toBe('look')
})

test.each([
  'I’m switching the exporter to `writeRows`, which keeps the order of the columns in each of the files that two people may open at once.',
  'I’m keeping the older form of the sums here since two of the people who read the export still open it with the program of last year.',
])('%j names something, or says why', (text) => {
  expect(announcedIn(text)).toBeUndefined()
})

test.each(['I’m leaving the exporter as it is.', 'I’m seeing two locks for one table.'])(
  '%j says something even where nothing changed',
  (text) => {
    expect(announcedIn(text)).toBeUndefined()
  },
)

test.each(['I am ', 'now ', 'look', 'if you ', 'Good. ', ' '])(
  'reading a text of nothing but %j takes linear work',
  async (unit) => {
    const reading = (length: number) => {
      const text = unit.repeat(Math.ceil(length / unit.length))
      return () => [announcedIn(text), muses(text), isOffer(text)]
    }
    await expectLinear(reading, { small: 50_000, large: 800_000 })
  },
)
