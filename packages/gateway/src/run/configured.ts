import { readFile } from 'node:fs/promises'
import { parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { fieldsOf, type Fields } from '../body/json.ts'

/** What a client's own TOML file says; nothing if it has none that can be read. */
export async function tomlFile(path: string): Promise<Fields> {
  return read(path, (text) => parseToml(text))
}

/** The same for JSON with comments. */
export async function jsonFile(path: string): Promise<Fields> {
  return read(path, (text) => parseJsonc(text) as unknown)
}

async function read(path: string, parse: (text: string) => unknown): Promise<Fields> {
  try {
    return fieldsOf(parse(await readFile(path, 'utf8'))) ?? {}
  } catch {
    // The client itself says what is wrong with it.
    return {}
  }
}
