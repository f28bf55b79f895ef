import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openclawManifest } from './openclaw.ts'

const own = new URL('../../../../', import.meta.url)

test('OpenClaw can install the package itself: it says the same of its plugin as an installation', () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, own), 'utf8'))
  expect(read('openclaw.plugin.json')).toEqual(openclawManifest)
  const { openclaw, files } = read('package.json')
  expect(files).toContain('openclaw.plugin.json')
  expect(openclaw.extensions).toEqual(['./dist/clients/openclaw.js'])
  expect(existsSync(new URL('src/clients/openclaw/plugin.ts', own))).toBe(true)
})
