import { guardsOf } from './guard.ts'

export const othersAreUnderstood = guardsOf('readers', [
  {
    guard: 'what stands behind a slash command is the human’s',
    file: 'facts/human/speech.ts',
    find: "return start < 0 || end < start ? '' : text.slice(start + argumentsOpen.length, end).trim()",
    replace: "return ''",
    tests: ['facts/human/', 'formats/claude-code/'],
  },
  {
    guard: 'a message wholly in quotes is its sender’s',
    file: 'facts/human/sentences.ts',
    find: "return inner.replaceAll(`\\\\${quote}`, '').includes(quote) ? words : inner",
    replace: 'return words',
    tests: ['facts/human/', 'facts/facts-of.test.ts'],
  },
  {
    guard: 'what was deleted in pi stays deleted',
    file: 'formats/pi/reader.ts',
    find: 'return editContext(state, record)',
    replace: 'return fileUnseen(state)',
    tests: ['formats/pi/'],
  },
  {
    guard: 'a resumed session of Gemini CLI has each result once',
    file: 'formats/gemini-cli/give-message.ts',
    find: 'const start = id === undefined ? -1 : ids.indexOf(id)',
    replace: 'const start = -1',
    tests: ['formats/gemini-cli/'],
  },
  {
    guard: 'one file has one path on Windows',
    file: 'facts/paths/clean-path.ts',
    find: "if (platform === 'unix') return path",
    replace: 'return path',
    tests: ['facts/paths/'],
  },
  {
    guard: 'refs of another log are left out of a summary that travelled',
    file: 'compaction/render/travelled.ts',
    find: 'const summary = mapOwnRefs(text, () => undefined)',
    replace: 'const summary = text',
    tests: ['promises/g14', 'session/once/'],
  },
])

export const providersAreUnderstood = guardsOf('providers', [
  {
    guard: 'what a provider’s own compaction replaced is not counted',
    file: 'compaction/measure/measure.ts',
    find: 'const start = providerCompactionIn(message)',
    replace: 'const start = undefined as ReturnType<typeof providerCompactionIn>',
    tests: ['compaction/measure/'],
  },
  {
    guard: 'an overflow behind the head of an answer is recovered',
    file: 'integrations/ai-sdk/compaction/recovering-middleware.ts',
    find: "  'raw',\n  'custom',\n",
    replace: "  'raw',\n",
    tests: ['integrations/ai-sdk/compaction/'],
  },
  {
    guard: 'an overflow without a number does not shrink the window for good',
    file: 'tokens/calibration.ts',
    find: 'calibrations.assumed.clear()',
    replace: 'void 0',
    tests: ['tokens/calibration.test.ts'],
  },
  {
    guard: 'no half of a character is sent',
    file: 'compaction/render/render.ts',
    find: 'const rendered = wellFormed(messageOf(item, summaryRole))',
    replace: 'const rendered = messageOf(item, summaryRole)',
    tests: ['compaction/render/', 'promises/g04'],
  },
  {
    guard: 'what a call was given is known again, however deep it is edited',
    file: 'wires/remembering/remembering.ts',
    find: 'said: copied(said)',
    replace: 'said',
    tests: ['integrations/conversation/hosted-messages.properties.test.ts'],
  },
  {
    guard: 'a plan by the seeds measures what its pruning left',
    file: 'compaction/seed/seed-cut.ts',
    find: 'const pruned = seedReplacements(units, protectedTools)',
    replace: 'const pruned = seedReplacements([], protectedTools)',
    tests: ['compaction/seed/'],
  },
  {
    guard: 'a redaction done twice is noted once',
    file: 'log/redaction/redaction.ts',
    find: 'return inLongMarkers(clean) === inLongMarkers(entry)',
    replace: 'return JSON.stringify(clean) === JSON.stringify(entry)',
    tests: ['promises/g01-whole-lives.test.ts'],
  },
])
