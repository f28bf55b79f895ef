import { authority, learnDirectory } from '../../paths/directories.ts'
import { fileLines, type FileLine } from '../file-lines.ts'
import { namesBelow } from '../name-list.ts'
import { readFileLines } from '../read-files-back.ts'
import { namesWithin, Room } from '../room.ts'
import { SaidWords } from '../clip-words.ts'
import { shareOfFiles, statementLines } from './statement-lines.ts'
import { lastTurn, type Part, type SummarySection, type Writing } from './section.ts'

/** The directory of the work, which paths are relative to. */
const place: Part = {
  turn: 11,
  write: ({ facts: { root = '' }, room }) =>
    root === '' ? [] : room.takeFitting([`Paths are relative to ${root}.`], room.left),
}

const explained: Part = {
  turn: 13,
  write: (writing) => statementLines(writing)['relevant files'],
}

const listed = new WeakMap<Writing, FileLine[]>()

/** Of what the statements leave, files take up to half first; names get the rest. */
const files: Part = {
  turn: 14,
  write(writing) {
    const { room, want } = writing
    const tokens = Math.max(want(shareOfFiles), Math.floor(room.left / 2))
    const lines = fileLines(writing.files(), { room, tokens })
    listed.set(writing, lines)
    return lines.map(({ line }) => line)
  },
}

/** The most that names take of what nothing else needs, in tokens: the rest goes to the newest steps. */
const mostListed = 1_000

/** Names that stand nowhere else in the summary, each below its file. */
const names: Part = {
  turn: lastTurn,
  inPlaceOf: files,
  *write(writing) {
    const { facts, count, room, around, written } = writing
    const words = new SaidWords(facts.root, around)
    for (const lines of written()) words.add(lines.join('\n'))
    yield
    const ranking = writing.names()
    yield
    const left = new Room(Math.min(room.left, mostListed), count)
    return namesWithin(left, namesBelow(listed.get(writing) ?? [], ranking, words))
  },
}

export const relevantFiles = {
  heading: 'Relevant files',
  guide: 'The files that matter to the task, each as `path` — one line on why.',
  otherNames: `
    relevant file, files, key files, important files, relevant files and directories,
    relevant files & directories, relevant files / directories, related files, files and
    code sections, file list, relevant paths, các tệp liên quan, tệp liên quan, tập tin liên
    quan, các tập tin liên quan, file liên quan, các file liên quan, 相关文件, 相關檔案, 相关的文件,
    関連ファイル, 関連するファイル, 관련 파일, 관련된 파일, релевантные файлы, связанные файлы, важные файлы,
    соответствующие файлы, файлы, archivos relevantes, ficheros relevantes, archivos,
    relevante dateien, dateien, wichtige dateien, fichiers pertinents, fichiers concernés,
    fichiers,
    file rilevanti, file pertinenti, istotne pliki, powiązane pliki, pliki, relevante
    bestanden, bestanden, ilgili dosyalar, İlgili dosyalar, dosyalar, الملفات ذات الصلة, الملفات, संबंधित फ़ाइलें,
    संबंधित फाइलें, फ़ाइलें, відповідні файли, пов'язані файли, berkas terkait, file terkait,
    berkas, arquivos relevantes, arquivos, ficheiros relevantes, relevanta filer, relevantní
    soubory, ไฟล์ที่เกี่ยวข้อง
  `,
  partNames: `
    file system state, files modified, modified files, files changed, changed files,
    relevant files and code, files touched, artifact trail, read files
  `,
  parts: [place, explained, files, names],
  read: {
    first(facts, body) {
      const root = /^Paths are relative to (.{1,400})\.$/m.exec(body)?.[1]
      if (root !== undefined) learnDirectory(facts, root, authority.environment)
    },
    own: readFileLines,
  },
  cutAs: 1,
  isLasting: true,
} as const satisfies SummarySection
