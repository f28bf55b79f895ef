import { describe, expect, test } from 'vitest'
import { formatConformance } from '../testing/format-conformance.ts'
import { formats } from './detect/detect.ts'
import { samples } from './testing/samples.ts'

describe.each(samples)('$name', (sample) => {
  test.each(formatConformance(sample))('$name', ({ run }) => run())

  test('is recognised by its own format alone', () => {
    const found = formats.filter(({ recognises }) => recognises(sample.records))
    expect(found.map(({ name }) => name)).toEqual([sample.format.name])
  })
})

test('every format that is read has a sample', () => {
  const sampled = new Set(samples.map(({ format }) => format))
  expect(formats.filter((format) => !sampled.has(format))).toEqual([])
})
