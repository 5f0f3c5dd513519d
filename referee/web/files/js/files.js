// Files that somebody takes along: saved, or handed on to another app of the phone.

/** Save a blob under a name. */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Hand a picture on to another app; where that is not possible it is saved. */
export async function share(blob, name, title) {
  const picture = new File([blob], name, { type: blob.type });
  if (!navigator.canShare?.({ files: [picture] })) return save(blob, name);
  try {
    await navigator.share({ files: [picture], title });
  } catch (error) {
    // Whoever closes the sheet has shared with nobody, and knows it.
    if (error.name !== "AbortError") save(blob, name);
  }
}

/** A drawing (SVG) as pixels (PNG), for apps that show no drawings. */
export async function pixels(drawing) {
  const address = URL.createObjectURL(drawing);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
