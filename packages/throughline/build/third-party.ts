import { readFileSync, readdirSync } from 'node:fs'
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
  // A licence is told once, behind the copyright of each package that is under it.
  const byLicence = Map.groupBy(packages, ({ text }) => withoutCopyright(text))
  return [
    '# Third-party code',
    '',
    'The command of this package holds code of the packages below, each under the licence that follows its name.',
    ...[...byLicence].flatMap(([licence, under]) => [
      ...under.flatMap(({ name, version, license, text }) => [
        '',
        `## ${name} ${version} (${license})`,
        '',
        ...copyrightIn(text),
      ]),
      '',
      '```text',
      licence,
      '```',
    ]),
    '',
  ].join('\n')
}

const copyright = /^.*\bcopyright \(c\).*$/gim

function copyrightIn(text: string): string[] {
  return (text.match(copyright) ?? []).map((line) => line.trim())
}

function withoutCopyright(text: string): string {
  return text
    .replace(copyright, '')
    .replace(/[ \t]*\n(?:[ \t]*\n)+/g, '\n\n')
    .replace(/(?<!\n)\n(?!\n)/g, ' ')
    .trim()
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
  const text = licenceIn(folder)
  if (text === undefined) {
    throw new Error(`${name} is bundled and has no licence file in ${dirname(folder)}.`)
  }
  return { name, version, license, text }
}

/** Its licence file, or the part of its README that is one. */
function licenceIn(folder: string): string | undefined {
  const files = readdirSync(folder)
  const file = files.find((each) => /^licen[cs]e/i.test(each))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8')
  const readme = files.find((each) => /^readme\.md$/i.test(each))
  const words = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8')
  const [, licence] = /^#+ *licen[cs]e *\n+((?:(?!^#).*\n?)+)/im.exec(words) ?? []
  return licence !== undefined && /copyright/i.test(licence) ? licence : undefined
}
