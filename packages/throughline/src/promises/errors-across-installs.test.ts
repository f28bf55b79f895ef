import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { ThroughlineError } from '../log/throughline-error.ts'

interface ErrorClass {
  new (...details: unknown[]): ThroughlineError
  readonly code: string
  isInstance: (error: unknown) => boolean
}
type Install = ReadonlyMap<string, ErrorClass>

const source = join(import.meta.dirname, '..')

// Providers that play in tests throw errors of their own, which must not be taken for ours.
const ofProviders = [
  'AnswersFirst',
  'FailedResponse',
  'IllegalPromptError',
  'PromptTooLongError',
  'Refusal',
]

/** Whatever the constructors ask for. */
const details = {
  session: 'a',
  known: [],
  pins: [],
  formats: [],
  floor: { total: 9 },
  limit: 8,
  window: 10,
  tokens: 9,
  ref: '9',
  plugin: 'p',
  divergence: 'another',
  failure: 'exists',
  file: 'a.db',
  stretch: { from: 1, through: 2 },
  answer: 'no',
}

const declared = /^(?:export )?(?:abstract )?class (\w+)(?:<.*>)? extends (\w+)/gm

const classes = sourceFiles().flatMap((file) =>
  [...readFileSync(join(source, file), 'utf8').matchAll(declared)]
    .filter(([, , base]) => base?.endsWith('Error'))
    .map(([, name = '', base]) => ({ file, name, base })),
)
const ours = classes.filter(({ name }) => !ofProviders.includes(name))

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|does-not-compile/.test(file),
  )
}

/** All error classes as one install of the package has them: the modules are loaded anew. */
async function install(): Promise<Install> {
  vi.resetModules()
  const found = new Map<string, ErrorClass>()
  for (const { file, name, base } of ours) {
    if (base === 'Error') continue
    const exported: Record<string, unknown> = await import(join(source, file))
    found.set(name, exported[name] as ErrorClass)
  }
  return found
}

const [one, other] = [await install(), await install()]

describe('every error class of the package', () => {
  it('derives from the one base', () => {
    const others = ours.filter(({ base }) => base === 'Error').map(({ name }) => name)
    expect(others).toEqual(['ThroughlineError'])
    expect(classes.length - ours.length).toBe(ofProviders.length)
    expect(one.size).toBe(ours.length - 1)
  })

  it('has a code of its own', () => {
    const codes = [...one.values()].map(({ code }) => code)
    expect(new Set(codes).size).toBe(one.size)
    expect(codes.filter((code) => !/^[A-Z]+(?:_[A-Z]+)*$/.test(code))).toEqual([])
  })

  it.each([...one])('knows its own errors and no others, from every install: %s', (name, own) => {
    for (const [thrownName, thrown] of [...one, ...other]) {
      const error = new thrown(details, details)
      expect(error).toMatchObject({ name: thrownName, code: thrown.code })
      expect(own.isInstance(error)).toBe(thrownName === name)
      expect(ThroughlineError.isInstance(error)).toBe(true)
    }
    expect(new (other.get(name) as ErrorClass)(details, details)).not.toBeInstanceOf(own)
    expect(own.isInstance({ code: own.code })).toBe(false)
  })
})
