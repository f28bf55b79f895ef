import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deleted } from './guards/delete-guard.ts'
import { needed } from './guards/copy.ts'
import { guards } from './guards/guards.ts'
import config from '../vitest.config.ts'

const source = (file: string): URL =>
  new URL(`../packages/throughline/src/${file}`, import.meta.url)

test.each(guards)('$promise: $guard occurs in $file once, and can be deleted', (guard) => {
  const text = readFileSync(source(guard.file), 'utf8')
  expect(deleted(guard, text)).not.toBe(text)
})

test('every promise has its guards, and no guard is listed twice', () => {
  const promises = new Set(guards.map(({ promise }) => promise))
  for (let number = 1; number <= 15; number++) expect(promises).toContain(`G${number}`)
  const names = guards.map(({ promise, guard }) => `${promise} ${guard}`)
  expect(new Set(names).size).toBe(names.length)
})

test('the copy in which guards are deleted holds what every test run begins with', () => {
  const { globalSetup = [], setupFiles = [] } = config.test ?? {}
  const begins = [globalSetup, setupFiles].flat()
  expect(begins.length).toBeGreaterThan(0)
  for (const file of begins) {
    expect(needed.some((folder) => file.startsWith(`${folder}/`))).toBe(true)
  }
})
