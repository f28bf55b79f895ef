export {
  fileName,
  isImage,
  mediumOf,
  textIn,
  urlOf,
  wordsFor,
  type Medium,
} from '../../wires/media.ts'
