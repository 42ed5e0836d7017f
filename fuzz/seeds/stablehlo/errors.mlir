module @jit_errors attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf32>) -> (tensor<12xf32> {jax.result_info = "result[0]"}, tensor<12xf32> {jax.result_info = "result[1]"}, tensor<12xf32> {jax.result_info = "result[2]"}, tensor<12xi1> {jax.result_info = "result[3]"}) {
    %0 = chlo.erf %arg0 : tensor<12xf32> -> tensor<12xf32>
    %1 = chlo.erfc %arg0 : tensor<12xf32> -> tensor<12xf32>
    %cst = stablehlo.constant dense<2.000000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %3 = stablehlo.divide %arg0, %2 : tensor<12xf32>
    %4 = chlo.erf_inv %3 : tensor<12xf32> -> tensor<12xf32>
    %5 = stablehlo.is_finite %arg0 : (tensor<12xf32>) -> tensor<12xi1>
    return %0, %1, %4, %5 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xi1>
  }
}
