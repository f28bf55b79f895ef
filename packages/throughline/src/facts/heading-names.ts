/** The five kinds of memory (T12), in their order: the headings that no template may drop. */
export const coreHeadings = [
  'Goal',
  'Instructions',
  'Discoveries',
  'Accomplished',
  'Relevant files',
] as const

/** The name of a section that every summary has. */
export type CoreSection = (typeof coreHeadings)[number]

/** Headings are compared without regard to case, level, spaces and marks. */
export function headingKey(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[\s#*:]+/g, ' ')
    .trim()
}

/**
 * What a line that looks like a heading is the heading of: its name as the template writes it, and
 * whether it was written so; `undefined` for one that is in no template.
 */
export type HeadingNames = (written: string) => HeadingName | undefined

/** The heading of a template that a line is. */
interface HeadingName {
  name: string
  exact: boolean
  /** What the line says by itself, where it names only a part of what belongs there. */
  label?: string
}

/** Other words for the five, in English and in the languages that models like to translate to. */
const otherWords: Readonly<Record<CoreSection, string>> = {
  Goal: `
    goals, objective, objectives, user goal, user’s goal, user's goal, main goal, the goal,
    overall goal, primary request and intent, primary goal, task, mục tiêu, 目标, 目標, 目的, ゴール,
    목표, 목적, цель, цели, задача, objetivo, objetivos, meta, ziel, ziele, objectif, objectifs,
    but,
    obiettivo, obiettivi, scopo, cel, cele, doel, doelen, doelstelling, amaç, hedef, الهدف,
    الأهداف, هدف, लक्ष्य, उद्देश्य, мета, цілі, tujuan, sasaran, mål, cíl, เป้าหมาย, user intent,
    intent, primary request
  `,
  Instructions: `
    instruction, rules, constraints, constraints and preferences, user instructions,
    constraints & preferences, rules and constraints, preferences, user preferences, chỉ
    dẫn, hướng dẫn, chỉ thị, yêu cầu, quy tắc, 指令, 指示, 说明, 說明, 规则, 要求, 規則, 手順, ルール, 지침, 지시,
    지시사항, 지시 사항, 규칙, инструкции, указания, правила, instrucciones, reglas, anweisungen,
    anleitung, vorgaben, regeln, consignes, règles, directives,
    istruzioni, regole, instrukcje, zasady, wytyczne, instructies, regels, richtlijnen,
    talimatlar, kurallar, التعليمات, تعليمات, القواعد, निर्देश, नियम, інструкції, вказівки,
    instruksi, aturan, petunjuk, instruções, regras, instruktioner, regler, pokyny, คำสั่ง,
    คำแนะนำ
  `,
  Discoveries: `
    discovery, findings, key findings, discovered, technical facts, what was learned, key
    discoveries, learnings, technical discoveries, facts, key technical concepts, khám phá,
    phát hiện, những phát hiện, các phát hiện, 发现, 發現, 発見, 発見事項, 判明したこと, 발견, 발견 사항, 발견사항,
    발견한 내용, открытия, находки, выводы, обнаружено, что обнаружено, descubrimientos,
    hallazgos, erkenntnisse, entdeckungen, befunde, découvertes, constats, constatations,
    scoperte, risultati dell'analisi, odkrycia, ustalenia, bevindingen, ontdekkingen, bulgular,
    keşifler, الاكتشافات, اكتشافات, النتائج, खोजें, खोज, निष्कर्ष, знахідки, відкриття, висновки,
    temuan, penemuan, descobertas, achados, upptäckter, zjištění, สิ่งที่ค้นพบ
  `,
  Accomplished: `
    accomplishments, accomplishment, progress, done, work done, completed, completed work,
    what was done, actions taken, work completed, achievements, đã hoàn thành, hoàn thành,
    đã thực hiện, những việc đã làm, việc đã làm, kết quả, 已完成, 完成, 完成情况, 完成的工作, 已完成的工作, 成果,
    進捗, 完了, 完了したこと, 完了した作業, 完了事項, 実施内容, 達成, 達成したこと, 완료, 완료 사항, 완료한 작업, 완료된 작업, 수행한 작업, 성과, сделано,
    выполнено, достигнуто, что сделано, logros, logrado, realizado, completado, lo
    realizado, hecho, erreicht, erledigt, ergebnisse, abgeschlossen, fortschritt, accompli,
    accomplissements, réalisé, réalisations, travail accompli, fait,
    completato, realizzato, fatto, risultati, wykonano, zrobione, ukończone, osiągnięcia,
    voltooid, bereikt, gedaan, tamamlananlar, yapılanlar, başarılanlar, ما تم إنجازه, الإنجازات,
    تم الإنجاز, पूरा किया गया, पूर्ण, उपलब्धियाँ, виконано, зроблено, досягнуто, yang telah
    diselesaikan, telah diselesaikan, selesai, pencapaian, concluído, utfört, hotovo,
    สิ่งที่ทำเสร็จแล้ว
  `,
  'Relevant files': `
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
}

/**
 * Headings of a part of one of the five, as the prompts of other clients ask for them and models
 * write them by habit. Their words stay, as a label in the section that they belong to.
 */
const headingParts: Readonly<Record<string, string>> = {
  Instructions: `
    all user messages, user messages, active constraints, constraints / user preferences,
    important context constraints or user preferences, style, guardrails
  `,
  Discoveries: `
    errors and fixes, errors, problem solving, problem resolution, key decisions, decisions,
    decisions made, technical decisions, design decisions, key knowledge, critical data,
    critical context, important context, key technical details, technical details,
    technical context, technical foundation, codebase status, environment, open questions,
    known issues, gotchas, lessons learned, 关键决策, 決定事項, 主な決定, 주요 결정, quyết định
  `,
  Accomplished: `
    pending tasks, pending, pending tasks and next steps, current work, current state,
    current status, status, state, active work state, optional next step, next step,
    next steps, clear next steps, immediate next steps, continuation plan, remaining,
    remaining work, remaining tasks, what remains, what remains to be done, what's left, todo,
    todos, to do, open items, open tasks, open, in progress, blocked, recent actions,
    recent operations, recent work, progress tracking, task state, current plan, plan, 下一步,
    下一步计划, 待办, 待办事项, 待完成, 当前状态, 次のステップ, 残作業, 残タスク, 未完了, 現在の状況, 다음 단계, 남은 작업,
    bước tiếp theo, các bước tiếp theo, còn lại, следующие шаги, что осталось, próximos pasos,
    próximos passos, nächste schritte, offen, prochaines étapes, prossimi passi
  `,
  'Relevant files': `
    file system state, files modified, modified files, files changed, changed files,
    relevant files and code, files touched, artifact trail, read files
  `,
}

const coreOf = namesByWords(otherWords)
const partOf = namesByWords(headingParts)

function namesByWords(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([name, words]) =>
      words.split(/,\s+/).map((word) => [headingKey(word), name] as const),
    ),
  )
}

/** The headings of a template as written, without the marks and numbers around them. */
export function exactNames(headings: readonly string[]): HeadingNames {
  const known = new Map(headings.map((heading) => [headingKey(heading), heading]))
  return (written) => {
    for (const each of readings(written)) {
      const name = known.get(headingKey(each))
      if (name !== undefined) return { name, exact: true }
    }
    return undefined
  }
}

/** The same, and other words for the core headings, also in other languages. */
export function namesInAnswers(headings: readonly string[]): HeadingNames {
  const exact = exactNames(headings)
  const asked = new Set(headings)
  return (written) => {
    const found = exact(written)
    if (found) return found
    for (const each of readings(written)) {
      const name = coreOf.get(headingKey(each))
      if (name !== undefined && asked.has(name)) return { name, exact: false }
    }
    for (const each of readings(written)) {
      const name = partOf.get(headingKey(each).replaceAll(',', ''))
      if (name !== undefined && asked.has(name))
        return { name, exact: false, label: bareName(written) }
    }
    return undefined
  }
}

export const coreNames: HeadingNames = exactNames(coreHeadings)

/** A heading without number, bullet, emoji and brackets; and what stands beside and in its parentheses. */
function readings(written: string): string[] {
  const bare = bareName(written)
  const match = /^([^(（/|]{1,60})[(（/|]([^)）]{1,60})[)）]?$/u.exec(bare)
  const parts = match ? [bareName(match[1] ?? ''), bareName(match[2] ?? '')] : []
  return [written, bare, ...parts].filter((each) => each !== '')
}

function bareName(written: string): string {
  return written
    .slice(0, 120)
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/^(?:section\s+|part\s+)?(?:\d{1,2}|[ivx]{1,4}|[a-h])[.):、．]\s{0,8}/iu, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/[^\p{L}\p{N})）]+$/u, '')
}
