// Three soft sounds, made here: a hit, a crumbling piece, and par.

/** @type {AudioContext|null} */
let audio = null;

/**
 * A tone that swells and fades.
 * @param {number} pitch @param {number} after @param {number} lasts @param {number} loud
 * @param {OscillatorType} [shape]
 */
function tone(pitch, after, lasts, loud, shape = "sine") {
  if (!audio) return;
  const [at, wave, volume] = [audio.currentTime + after, audio.createOscillator(), audio.createGain()];
  wave.type = shape;
  wave.frequency.setValueAtTime(pitch, at);
  wave.frequency.exponentialRampToValueAtTime(pitch * 0.8, at + lasts);
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(loud, at + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  wave.connect(volume).connect(audio.destination);
  wave.start(at);
  wave.stop(at + lasts);
}

/** @type {Record<string, () => void>} */
const SOUNDS = {
  hit: () => tone(210, 0, 0.12, 0.16, "triangle"),
  crumble: () => {
    for (const [i, pitch] of [320, 270, 230, 190, 150].entries()) tone(pitch, 0.05 + i * 0.07, 0.16, 0.05);
  },
  par: () => {
    for (const [i, pitch] of [523, 659, 784].entries()) tone(pitch, i * 0.13, 0.45, 0.1);
  },
};

/** @param {string} name */
export function play(name) {
  audio ??= new AudioContext();
  audio.resume();
  SOUNDS[name]?.();
}
