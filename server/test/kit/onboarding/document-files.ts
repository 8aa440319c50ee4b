/** Photographs and PDFs of documents, made when a test asks for them. */
import sharp, { type Sharp } from 'sharp'

const PLAIN = 'image/jpeg'

export type DocumentFile = Readonly<{ bytes: Buffer; type: string; name: string }>

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('')

type Size = Readonly<{ width: number; height: number }>

/** Little more than has to be there: a photo costs its reader in proportion to its pixels. */
const ORDINARY: Size = { width: 600, height: 400 }
/** Larger than what is measured, so that it is shrunk first. */
export const LARGE: Size = { width: 1_200, height: 800 }

/** An identity card on a table: the corners show, the print is sharp, the colors are colors. */
function card({ width, height }: Size = ORDINARY): Sharp {
  const print = lines(12, (n) => {
    const bars = lines(24, (bar) => {
      const wide = 6 + ((n * 7 + bar * 5) % 9)
      return `<rect x="${430 + bar * 24}" y="${180 + n * 38}" width="${wide}" height="16" fill="#123"/>`
    })
    return bars
  })
  const portrait = lines(20, (n) => {
    const y = 180 + n * 13
    return `<rect x="190" y="${y}" width="190" height="6" fill="${n % 2 ? '#fff' : '#c33'}"/>`
  })
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
      viewBox="0 0 1200 800" preserveAspectRatio="none"><rect width="1200" height="800" fill="#334"/>
      <rect x="150" y="120" width="900" height="560" rx="30" fill="#f2e6c9"/>
      <rect x="180" y="170" width="210" height="290" fill="#a8462f"/>${portrait}${print}</svg>`),
  )
}

const jpeg = async (photo: Sharp, name = 'photo.jpg'): Promise<DocumentFile> => ({
  bytes: await photo.jpeg({ quality: 90 }).toBuffer(),
  type: PLAIN,
  name,
})

let ordinary: Promise<DocumentFile> | undefined

export const goodPhoto = (size?: Size): Promise<DocumentFile> =>
  size ? jpeg(card(size)) : (ordinary ??= jpeg(card()))

export const goodPng = async (size?: Size): Promise<DocumentFile> => ({
  bytes: await card(size).png().toBuffer(),
  type: 'image/png',
  name: 'photo.png',
})

export const blurredPhoto = (): Promise<DocumentFile> => jpeg(card().blur(5))
export const greyPhoto = (): Promise<DocumentFile> => jpeg(card().greyscale())
export const smallPhoto = (): Promise<DocumentFile> => jpeg(card({ width: 390, height: 260 }))

/** The document runs off the left side. */
export const croppedPhoto = (): Promise<DocumentFile> =>
  jpeg(card().extract({ left: 150, top: 0, width: 450, height: 400 }))

export async function truncatedPhoto(): Promise<DocumentFile> {
  const { bytes, ...rest } = await goodPhoto()
  return { ...rest, bytes: bytes.subarray(0, bytes.length / 2) }
}

/** More pixels than anybody decodes, in a small file. */
export const hugePng = async (): Promise<DocumentFile> => ({
  bytes: await sharp({ create: { width: 8_000, height: 6_251, channels: 3, background: '#888' } })
    .png()
    .toBuffer(),
  type: 'image/png',
  name: 'huge.png',
})

/** A PDF of one empty page, filled up to a size where one is given. */
export function pdf({ bytes = 0, trailer = '' } = {}): DocumentFile {
  const body = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>
endobj
`
  const end = `trailer
<< /Size 4 /Root 1 0 R ${trailer}>>
startxref
0
%%EOF
`
  const filler = `%${' '.repeat(Math.max(0, bytes - body.length - end.length - 2))}\n`
  return {
    bytes: Buffer.from(`${body}${filler}${end}`),
    type: 'application/pdf',
    name: 'paper.pdf',
  }
}

export const encryptedPdf = (): DocumentFile => pdf({ trailer: '/Encrypt 9 0 R ' })

export function truncatedPdf(): DocumentFile {
  const { bytes, ...rest } = pdf({ bytes: 9_000 })
  return { ...rest, bytes: bytes.subarray(0, 6_000) }
}
