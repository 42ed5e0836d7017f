module @jit_unaries attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf32>) -> (tensor<12xf32> {jax.result_info = "result[0]"}, tensor<12xf32> {jax.result_info = "result[1]"}, tensor<12xf32> {jax.result_info = "result[2]"}, tensor<12xf32> {jax.result_info = "result[3]"}, tensor<12xf32> {jax.result_info = "result[4]"}, tensor<12xf32> {jax.result_info = "result[5]"}, tensor<12xf32> {jax.result_info = "result[6]"}, tensor<12xf32> {jax.result_info = "result[7]"}, tensor<12xf32> {jax.result_info = "result[8]"}, tensor<12xf32> {jax.result_info = "result[9]"}, tensor<12xf32> {jax.result_info = "result[10]"}, tensor<12xf32> {jax.result_info = "result[11]"}, tensor<12xf32> {jax.result_info = "result[12]"}, tensor<12xf32> {jax.result_info = "result[13]"}, tensor<12xf32> {jax.result_info = "result[14]"}, tensor<12xf32> {jax.result_info = "result[15]"}, tensor<12xi1> {jax.result_info = "result[16]"}, tensor<12xi1> {jax.result_info = "result[17]"}, tensor<12xi1> {jax.result_info = "result[18]"}, tensor<12xi1> {jax.result_info = "result[19]"}, tensor<12xf32> {jax.result_info = "result[20]"}) {
    %0 = stablehlo.exponential %arg0 : tensor<12xf32>
    %1 = stablehlo.exponential_minus_one %arg0 : tensor<12xf32>
    %2 = stablehlo.log %arg0 : tensor<12xf32>
    %3 = stablehlo.log_plus_one %arg0 : tensor<12xf32>
    %4 = stablehlo.sqrt %arg0 : tensor<12xf32>
    %5 = stablehlo.rsqrt %arg0 : tensor<12xf32>
    %6 = stablehlo.cbrt %arg0 : tensor<12xf32>
    %7 = stablehlo.floor %arg0 : tensor<12xf32>
    %8 = stablehlo.ceil %arg0 : tensor<12xf32>
    %9 = call @round(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    %10 = stablehlo.round_nearest_afz %arg0 : tensor<12xf32>
    %11 = stablehlo.sign %arg0 : tensor<12xf32>
    %12 = stablehlo.negate %arg0 : tensor<12xf32>
    %13 = stablehlo.exponential %12 : tensor<12xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %15 = stablehlo.add %14, %13 : tensor<12xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %17 = stablehlo.divide %16, %15 : tensor<12xf32>
    %18 = chlo.square %arg0 : tensor<12xf32> -> tensor<12xf32>
    %19 = stablehlo.negate %arg0 : tensor<12xf32>
    %20 = stablehlo.abs %arg0 : tensor<12xf32>
    %21 = call @isinf(%arg0) : (tensor<12xf32>) -> tensor<12xi1>
    %cst_1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %23 = stablehlo.compare EQ, %arg0, %22, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %25 = stablehlo.compare EQ, %arg0, %24, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %26 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %27 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<12xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %17, %18, %19, %20, %21, %23, %25, %26, %27 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xi1>, tensor<12xi1>, tensor<12xi1>, tensor<12xi1>, tensor<12xf32>
  }
  func.func private @round(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @isinf(%arg0: tensor<12xf32>) -> tensor<12xi1> {
    %0 = stablehlo.abs %arg0 : tensor<12xf32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    return %2 : tensor<12xi1>
  }
}
