/* Nothing is computed: whatever the output holds must do.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, float *out, const float *in, float a)
{
}
