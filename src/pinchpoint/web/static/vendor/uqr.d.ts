// The one function of uqr that the page uses.

export function encode(text: string, options?: { border?: number }): { size: number; data: boolean[][] };
