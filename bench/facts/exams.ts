import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { cutFile, measuredSession, parseExam, type Sitting } from 'throughline/evaluation'
import { readSession } from 'throughline/formats'

/** Where the exams are kept, unless someone names another place. */
export const usualExams = join(import.meta.dirname, '../../../shared/exams')

/**
 * The exams in a folder, in order of name, each with its session up to where it was cut.
 * @param sessions folders that may hold the sessions; exams whose session is in none are skipped
 * @throws Error if a session can't be read
 */
export async function readSittings(exams: string, ...sessions: string[]): Promise<Sitting[]> {
  if (!existsSync(exams)) return []
  const files = (await readdir(exams)).filter((name) => name.endsWith('.json')).sort()
  const sittings: Sitting[] = []
  for (const file of files) {
    const exam = parseExam(await readFile(join(exams, file), 'utf8'))
    const place = sessions.map((folder) => join(folder, exam.session)).find(existsSync)
    if (place === undefined) {
      console.error(`Skipped ${exam.case}: its session ${exam.session} isn't on this machine.`)
      continue
    }
    const whole = await readFile(place, 'utf8')
    const read = await readSession([Buffer.from(cutFile(whole, exam.records))])
    sittings.push({
      exam,
      session: measuredSession(basename(exam.session).replace(/\.\w+$/, ''), read),
    })
  }
  return sittings
}
