import { expect, vi } from 'vitest'

// Stands in the place of vitest for the tests of a copy, which are collected and run many times.
export { expect, vi }

type Work = (...values: never[]) => unknown

/** A test, with what its file does before and after each. */
export interface Collected {
  name: string
  run: () => Promise<void>
}

interface File {
  before: (() => unknown)[]
  beforeEach: (() => unknown)[]
  afterEach: (() => unknown)[]
  ready?: Promise<unknown>
}

const collected: Collected[] = []
let names: string[] = []
let file: File = { before: [], beforeEach: [], afterEach: [] }

/** The tests of a file, which `load` imports. */
export async function collect(load: () => Promise<unknown>): Promise<Collected[]> {
  collected.length = 0
  names = []
  file = { before: [], beforeEach: [], afterEach: [] }
  await load()
  return [...collected]
}

function add(name: string, work: () => unknown): void {
  const own = file
  const run = async (): Promise<void> => {
    own.ready ??= inTurn(own.before)
    await own.ready
    await inTurn(own.beforeEach)
    try {
      await work()
    } finally {
      await inTurn(own.afterEach)
    }
  }
  collected.push({ name: [...names, name].join(' > '), run })
}

async function inTurn(works: readonly (() => unknown)[]): Promise<void> {
  for (const work of works) await work()
}

const workIn = (values: readonly unknown[]): Work =>
  values.find((value) => typeof value === 'function') as Work

function test(name: string, ...rest: unknown[]): void {
  add(name, workIn(rest) as () => unknown)
}

function describe(name: string, ...rest: unknown[]): void {
  const before = names
  names = [...before, name]
  workIn(rest)()
  names = before
}

function eachOf(call: (name: string, work: () => unknown) => void) {
  return (rows: readonly unknown[]) =>
    (name: string, ...rest: unknown[]): void => {
      const work = workIn(rest) as (...values: unknown[]) => unknown
      for (const [index, row] of rows.entries()) {
        call(`${name} (${index + 1})`, () => work(...(Array.isArray(row) ? row : [row])))
      }
    }
}

const nothing = (): void => undefined

Object.assign(test, {
  each: eachOf(test),
  skip: nothing,
  skipIf: (no: unknown) => (no ? nothing : test),
})
Object.assign(describe, {
  each: eachOf(describe),
  skip: nothing,
  skipIf: (no: unknown) => (no ? nothing : describe),
  runIf: (yes: unknown) => (yes ? describe : nothing),
})

export { describe, test, test as it }
export const beforeAll = (work: () => unknown): void => void file.before.push(work)
export const beforeEach = (work: () => unknown): void => void file.beforeEach.push(work)
export const afterEach = (work: () => unknown): void => void file.afterEach.push(work)
/** What it clears away the next run of the same tests still needs. */
export const afterAll = nothing
