import { readFile, writeFile } from 'node:fs/promises'

/** Changes a settings file in place. */
export async function changeJson<Value>(
  file: string,
  change: (value: Value) => void,
): Promise<void> {
  const value = JSON.parse(await readFile(file, 'utf8')) as Value
  change(value)
  await writeFile(file, JSON.stringify(value))
}
