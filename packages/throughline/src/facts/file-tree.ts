import type { FileFact } from './facts.ts'

/** The known files by directory and by name, so that they need not all be scanned. */
interface FileTree {
  /** What is in each directory: files that are there, and directories that hold some. */
  inside: Map<string, Set<string>>
  /** The paths of each name, of files in directories. */
  named: Map<string, string[]>
  /** How many files it knows. */
  size: number
}

const trees = new WeakMap<ReadonlyMap<string, FileFact>, FileTree>()

/** Adds a file that the session did not know. */
export function addFile(files: Map<string, FileFact>, file: FileFact): void {
  const tree = current(files)
  files.set(file.path, file)
  if (tree) know(tree, file)
}

/** A file is there now, or is gone. */
export function placeFile(files: ReadonlyMap<string, FileFact>, file: FileFact): void {
  const tree = current(files)
  if (!tree) return
  if (isThere(file)) put(tree, file.path)
  else take(tree, file.path)
}

export function forgetFile(files: Map<string, FileFact>, { path }: FileFact): void {
  const tree = current(files)
  files.delete(path)
  if (!tree) return
  tree.size -= 1
  const name = path.slice(path.lastIndexOf('/') + 1)
  const others = tree.named.get(name)?.filter((other) => other !== path) ?? []
  if (others.length > 0) tree.named.set(name, others)
  else tree.named.delete(name)
  for (let child = path, directory = directoryOf(child); directory !== undefined;) {
    const children = tree.inside.get(directory)
    children?.delete(child)
    if (children === undefined || children.size > 0) return
    tree.inside.delete(directory)
    child = directory
    directory = directoryOf(child)
  }
}

/** Whether the session has known any file in this directory. */
export function isKnownDirectory(files: ReadonlyMap<string, FileFact>, path: string): boolean {
  return treeOf(files).inside.has(path)
}

/** The paths of the files that are in a directory, at any depth. */
export function filesIn(files: ReadonlyMap<string, FileFact>, directory: string): string[] {
  const { inside } = treeOf(files)
  const found: string[] = []
  const open = [directory]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const path of inside.get(next) ?? []) {
      if (inside.has(path)) open.push(path)
      const file = files.get(path)
      if (file && isThere(file)) found.push(path)
    }
  }
  return found
}

/** The paths of known files in directories that end with this name. */
export function filesNamed(files: ReadonlyMap<string, FileFact>, name: string): readonly string[] {
  return treeOf(files).named.get(name) ?? []
}

function isThere(file: FileFact): boolean {
  return file.state !== 'deleted' && (file.state !== 'renamed' || file.to === undefined)
}

/** Made when somebody first asks, and again where others have put files into the facts. */
function treeOf(files: ReadonlyMap<string, FileFact>): FileTree {
  const known = current(files)
  if (known) return known
  const tree: FileTree = { inside: new Map(), named: new Map(), size: 0 }
  for (const file of files.values()) know(tree, file)
  trees.set(files, tree)
  return tree
}

function current(files: ReadonlyMap<string, FileFact>): FileTree | undefined {
  const tree = trees.get(files)
  return tree?.size === files.size ? tree : undefined
}

function know(tree: FileTree, file: FileFact): void {
  tree.size += 1
  const slash = file.path.lastIndexOf('/')
  if (slash >= 0) {
    const name = file.path.slice(slash + 1)
    const paths = tree.named.get(name)
    if (paths) paths.push(file.path)
    else tree.named.set(name, [file.path])
  }
  put(tree, file.path)
  if (!isThere(file)) take(tree, file.path)
}

function put({ inside }: FileTree, path: string): void {
  for (let child = path; ;) {
    const directory = directoryOf(child)
    if (directory === undefined) return
    const children = inside.get(directory)
    if (children?.has(child)) return
    if (children) children.add(child)
    else inside.set(directory, new Set([child]))
    child = directory
  }
}

/** Empty directories stay known, but are in no other any more. */
function take({ inside }: FileTree, path: string): void {
  for (let child = path; (inside.get(child)?.size ?? 0) === 0;) {
    const directory = directoryOf(child)
    if (directory === undefined) return
    inside.get(directory)?.delete(child)
    child = directory
  }
}

function directoryOf(path: string): string | undefined {
  const slash = path.lastIndexOf('/')
  return slash <= 0 ? undefined : path.slice(0, slash)
}
