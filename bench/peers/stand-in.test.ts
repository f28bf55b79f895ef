import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerFile, standIn, type Asked } from './stand-in.ts'

const lines = Array.from({ length: 300 }, (_, index) => {
  return `user: look at module${index % 70} and parser${index % 50} number ${index}`
})
const question = { prompt: lines.join('\n'), most: 400 }
const ask = (instructions?: ReadonlySet<string>) => standIn(undefined, () => {}, instructions)

test('the same question has the same answer, of whole lines, within its limit', () => {
  const text = ask().answer(question)
  expect(ask().answer(question)).toBe(text)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(question.most * 4)
  for (const line of text.split('\n')) expect(lines).toContain(line.slice(2))
})

test('an answer has the sections that are asked for', () => {
  const text = ask().answer({ ...question, headings: ['Goal', 'Files'] })
  expect(text).toMatch(/^## Goal\n- [^]*\n\n## Files\n- /)
  expect(ask().answer({ prompt: '', most: 400, headings: ['Goal'] })).toBe('## Goal\n(none)')
})

test('what an engine writes around every conversation is never picked', () => {
  const instruction = 'Say which module0 and parser0 are the highest quality/most relevant.'
  const prompt = `${instruction}\n${question.prompt}`
  expect(ask(new Set([instruction])).answer({ ...question, prompt })).not.toContain('quality/most')
  expect(ask().answer({ ...question, prompt, instruction })).not.toContain('quality/most')
})

test('a recorded answer is used for its own prompt alone, and a question without one is put beside it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'answers-'))
  try {
    await writeFile(join(folder, answerFile(question)), 'What a model said.')
    const asked: Asked[] = []
    const model = standIn(folder, (one) => asked.push(one))
    expect(model.answer(question)).toBe('What a model said.')
    expect(model.answer({ ...question, most: 300 })).not.toBe('What a model said.')
    expect(asked.map(({ recorded }) => recorded)).toEqual([true, false])
    const open = answerFile({ ...question, most: 300 }).replace('.txt', '.question.txt')
    expect(await readFile(join(folder, open), 'utf8')).toContain(question.prompt)
  } finally {
    await rm(folder, { recursive: true })
  }
})
