import { expect, it } from 'vitest'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rooms } from './rooms.ts'

const sources = join(import.meta.dirname, '../../packages/throughline/src')

it('each part that can be switched off is still where it is looked for', () => {
  const missing: string[] = []
  for (const { name, files, instead = {}, edits = {} } of rooms) {
    const modules = [...files, ...Object.keys(instead), ...Object.keys(edits)]
    for (const module of modules) {
      if (!existsSync(join(sources, module))) missing.push(`${name}: ${module}`)
    }
    for (const [module, passages] of Object.entries(edits)) {
      const source = readFileSync(join(sources, module), 'utf8')
      for (const [from] of passages) {
        if (!source.includes(from)) missing.push(`${name}: ${module} holds no ${from}`)
      }
    }
    for (const [module, source] of Object.entries(instead)) {
      const own = readFileSync(join(sources, module), 'utf8')
      for (const [, exported = ''] of source.matchAll(/(?:export const | as )(\w+)/g)) {
        if (!new RegExp(String.raw`\b${exported}\b`).test(own)) missing.push(`${name}: ${exported}`)
      }
    }
  }
  expect(missing).toEqual([])
})
