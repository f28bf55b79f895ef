import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Package {
  name: string
  version: string
  license: string
  text: string
}

/** The page that says whose code is in the bundles, with the licence of each. */
export function thirdPartyPage(moduleIds: Iterable<string>): string {
  const folders = new Set([...moduleIds].flatMap((id) => packageFolderOf(id) ?? []))
  const packages = [...folders].map(read).sort((a, b) => a.name.localeCompare(b.name))
  return [
    '# Third-party code',
    '',
    'The command of this package holds code of the packages below, each under its own licence.',
    ...packages.flatMap(({ name, version, license, text }) => [
      '',
      `## ${name} ${version} (${license})`,
      '',
      '```text',
      text.trim(),
      '```',
    ]),
    '',
  ].join('\n')
}

/** The name of the package that a module is of; `undefined` for our own. */
export function packageOf(id: string): string | undefined {
  const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id) ?? []
  return name?.replace('\\', '/')
}

function packageFolderOf(id: string): string | undefined {
  const name = packageOf(id)
  if (name === undefined) return undefined
  const end = id.replaceAll('\\', '/').lastIndexOf(`/node_modules/${name}/`)
  return id.slice(0, end + `/node_modules/${name}`.length)
}

function read(folder: string): Package {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string
  }
  const { name, version, license = 'see below' } = manifest
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  if (file === undefined || !existsSync(join(folder, file))) {
    throw new Error(`${name} is bundled and has no licence file in ${dirname(folder)}.`)
  }
  return { name, version, license, text: readFileSync(join(folder, file), 'utf8') }
}
