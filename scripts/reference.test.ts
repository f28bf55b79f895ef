import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importedAs, libraryEntries, packageFolder } from '../packages/throughline/build/entries.ts'

const docs = join(import.meta.dirname, '../docs/reference')

test.each(Object.entries(libraryEntries))(
  'the reference has every public name of %s, and no other; npm run reference writes it',
  (entry, file) => {
    const source = readFileSync(join(packageFolder, file), 'utf8')
    const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    const own = [
      ...source.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm),
    ]
    const names = [
      ...own.map(([, name = '']) => name),
      ...lists.flatMap(([, all = '']) => all.replaceAll(/\/\/.*$/gm, '').split(',')),
    ].flatMap(
      (name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, '') || [],
    )
    const page = readFileSync(join(docs, `${importedAs(entry).replaceAll('/', '-')}.md`), 'utf8')
    const described = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    expect(names.filter((name) => !described.includes(name))).toEqual([])
    // What comes by `export type *` stands in the files that it names.
    if (!/^export type \*/m.test(source)) {
      expect(described.filter((name = '') => !names.includes(name))).toEqual([])
    }
  },
)
