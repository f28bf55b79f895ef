import { expect, test } from 'vitest'
import { lanes } from './matrix/lanes.ts'
import { matrixPage, type Tried } from './matrix/page.ts'
import { readFileSync } from 'node:fs'

const docs = (name: string): string =>
  readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')
const tried = JSON.parse(docs('matrix.json')) as Tried[]

test('docs/matrix.md is what the recorded runs say, for every lane (npm run matrix)', () => {
  expect(docs('matrix.md')).toBe(matrixPage(tried))
  expect(tried.map(({ group, name }) => [group, name])).toEqual(
    lanes.map(({ group, name }) => [group, name]),
  )
})

test('npm installs Throughline beside any version of a peer', () => {
  const installs = tried.filter(({ group }) => group === 'install')
  expect(installs.length).toBeGreaterThan(10)
  expect(installs.filter(({ passed }) => !passed)).toEqual([])
})
