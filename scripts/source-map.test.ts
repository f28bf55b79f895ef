import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const guide = readFileSync(join(root, 'AGENTS.md'), 'utf8')
const map = guide.split('```')[1] ?? ''

/** The places that the map of AGENTS.md names, each with the folder that holds it. */
function placesOf(text: string): string[] {
  const parents: string[] = []
  return text.split('\n').flatMap((line) => {
    const [, indent = '', words = ''] = /^( *)(.*)$/.exec(line) ?? []
    if (words === '') return []
    const depth = indent.length / 2
    // What follows two spaces is what the map says of the place; a deeper line continues it.
    const [names = '', said = ''] = words.split(/ {2,}|: /, 2)
    const folders = names.split(' ').filter((name) => /^[\w./-]+\/$/.test(name))
    if (folders[0] === undefined) {
      return filesIn(words).map((file) => join(...parents.slice(0, depth), file))
    }
    parents.splice(depth)
    const found = folders.map((folder) => join(...parents, folder))
    parents[depth] = folders[0]
    const files = filesIn(said === '' ? words : `${said} ${words}`)
    return [...found, ...files.map((file) => join(...parents.slice(0, depth + 1), file))]
  })
}

function filesIn(words: string): string[] {
  return [...new Set(words.match(/\b[\w-]+\.ts\b/g))].filter((name) => !name.startsWith('.'))
}

it('names only files and folders that exist', () => {
  const missing = placesOf(map).filter((place) => !existsSync(join(root, place)))
  expect(missing).toEqual([])
})

it('names every folder of the library', () => {
  const source = 'packages/throughline/src'
  const folders = readdirSync(join(root, source), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  const named = new Set(placesOf(map).map((place) => place.replace(/\/$/, '')))
  expect(folders.filter((name) => !named.has(join(source, name)))).toEqual([])
})
